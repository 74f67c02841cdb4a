/** The users of the demo company. The first one is the demo user, whom the visitor signs in as. */
const DEMO_DOMAIN = 'fjordlab.example'

export const DEMO_NAMES = [
  'Mara Lind',
  'Ada Novak',
  'Jonas Weber',
  'Priya Raman',
  'Elif Aydin',
  'Henrik Dahl',
  'Lucia Ferrer',
  'Noor Haddad',
  'Tom Okafor',
  'Aino Laine',
  'Mikkel Berg',
  'Sofia Rossi',
  'Kenji Mori',
  'Ines Costa',
  'Piotr Zielinski',
  'Clara Dubois',
  'Samir Nasser',
  'Freya Olsen',
  'Luca Bianchi',
  'Amara Diallo',
  'Otto Kramer',
  'Nina Petrov',
  'Diego Vargas',
  'Hanna Virtanen',
  'Yusuf Demir',
  'Chloe Martin',
  'Emil Svensson',
  'Rosa Marin',
  'Theo Janssen',
  'Lena Vogel',
] as const

export function addressOf(name: string): string {
  return `${name.toLowerCase().replace(' ', '.')}@${DEMO_DOMAIN}`
}
