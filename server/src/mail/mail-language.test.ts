import { describe, expect } from 'vitest'
import { removeFactors } from '../admin/users.ts'
import { statement } from '../db/db.ts'
import { confirmation, createAuthClient, newestLinkToken } from '../testing/auth-client.ts'
import { addPasskey } from '../testing/authenticator.ts'
import { makeUser, PASSWORD } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'
import { outboxFolder } from './mailer.ts'
import { readOutboxFolder } from './outbox-folder.ts'

const test = base.extend('mail', ({ authApp }) => {
  async function post(path: string, payload: object, headers: Record<string, string> = {}) {
    const answer = await authApp.app.inject({ method: 'POST', url: `/auth/v1${path}`, payload, headers })
    expect(answer.statusCode).toBe(200)
    return answer
  }
  /** The subjects of the emails to an address, oldest first. */
  async function subjectsTo(address: string): Promise<string[]> {
    await authApp.mailer.idle()
    const emails = await readOutboxFolder(outboxFolder(authApp.config), 100)
    return emails
      .filter(({ recipient }) => recipient === address)
      .map(({ subject }) => subject)
      .reverse()
  }
  /** A user who has chosen a language. */
  async function speakerOf(language: string | null) {
    const user = await makeUser(authApp)
    await authApp.auth.db.query(store, { language, email: user.email })
    return user
  }
  async function signedIn(email: string) {
    const device = createAuthClient(authApp.app)
    await device.signInWithPassword({ email, password: PASSWORD })
    return device
  }
  return { post, subjectsTo, speakerOf, signedIn }
})

let count = 0
const newAddress = () => `person${++count}@fjordlab.example`
const german = { 'accept-language': 'de-AT, en;q=0.5' }

const store = statement('test.store-language', 'update profiles set language = :language where email = :email')
const stored = statement('test.stored-language', 'select language from profiles where email = :email')

describe('somebody without an account', () => {
  test.for([
    ['Accept-Language', '', german, 'Bestätige deine Adresse für deeb'],
    ['the cookie', '', { cookie: 'a=b; deeb.language=fr', ...german }, 'Confirme ton adresse pour deeb'],
    ['the query', '?language=es', { cookie: 'deeb.language=fr' }, 'Confirma tu dirección para deeb'],
    ['an unknown language', '', { 'accept-language': 'ja' }, 'Confirm your address for deeb'],
    ['nothing', '', {}, 'Confirm your address for deeb'],
  ] as const)(
    'gets the confirmation link in the language of %s, also when it is sent again',
    async ([_, query, headers, subject], { authApp, mail }) => {
      const email = newAddress()
      await mail.post(`/signup${query}`, { email, password: PASSWORD }, headers)
      authApp.clock.pass(60)
      await mail.post(`/resend${query}`, { type: 'signup', email }, headers)
      expect(await mail.subjectsTo(email)).toEqual([subject, subject])
    },
  )

  test('has an account in the language of the request that confirms it', async ({ authApp, mail }) => {
    const email = newAddress()
    await mail.post('/signup', { email, password: PASSWORD }, german)
    await mail.post('/verify', confirmation(await newestLinkToken(authApp, email), PASSWORD), german)
    expect(await authApp.auth.db.query(stored, { email })).toEqual([{ language: 'de' }])
    await mail.post('/recover', { email }, { 'accept-language': 'fr' })
    expect((await mail.subjectsTo(email)).at(-1)).toBe('Wähle ein neues Passwort für deeb')
  })
})

describe('an account', () => {
  test('gets its emails in its stored language, whatever the request speaks', async ({ authApp, mail }) => {
    const { email } = await mail.speakerOf('fr')
    await mail.post('/signup', { email, password: PASSWORD }, german)
    await mail.post('/recover', { email }, german)
    authApp.clock.pass(24 * 3600)
    await mail.post('/resend', { type: 'signup', email }, german)
    const already = 'Tu as déjà un compte deeb'
    expect(await mail.subjectsTo(email)).toEqual([already, 'Choisis un nouveau mot de passe pour deeb', already])
  })

  test('without a stored language gets them in that of the request', async ({ mail }) => {
    const { email } = await mail.speakerOf(null)
    await mail.post('/recover', { email }, german)
    expect(await mail.subjectsTo(email)).toEqual(['Wähle ein neues Passwort für deeb'])
  })

  test('that changes its address: the link is in its language, the notice to the owner of a taken one in theirs', async ({
    authApp,
    mail,
  }) => {
    const [ann, ben] = [await mail.speakerOf('es'), await mail.speakerOf('de')]
    const [email, next] = [newAddress(), newAddress()]
    const device = await mail.signedIn(ann.email)
    const ask = (email: string) => device.updateUser({ email, current_password: PASSWORD })
    await ask(email)
    expect(await mail.subjectsTo(email)).toEqual(['Confirma tu nueva dirección para deeb'])
    await ask(ben.email)
    expect(await mail.subjectsTo(ben.email)).toEqual(['Du hast schon ein deeb-Konto'])
    await ask(next)
    await device.verifyOtp(confirmation(await newestLinkToken(authApp, next, 'email_change'), PASSWORD, 'email_change'))
    expect(await mail.subjectsTo(ann.email)).toEqual(['Se ha cambiado la dirección de tu cuenta de deeb'])
  })

  test('gets the notices of an administrator in its language', async ({ authApp, mail }) => {
    const user = await mail.speakerOf('de')
    await addPasskey(await mail.signedIn(user.email))
    await removeFactors(authApp.auth.db, user.email, authApp.clock.now())
    authApp.mailer.kick()
    expect((await mail.subjectsTo(user.email)).at(-1)).toBe('Die zweiten Faktoren deines deeb-Kontos wurden entfernt')
  })
})

test('a stored language that only a newer server knows gets English', async ({ authApp, mail }) => {
  await authApp.auth.db.script('alter table profiles drop constraint profiles_language')
  const { email } = await mail.speakerOf('xx')
  await mail.post('/recover', { email }, german)
  expect(await mail.subjectsTo(email)).toEqual(['Choose a new password for deeb'])
})
