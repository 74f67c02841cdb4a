import { expect, test } from 'vitest'
import { freeAnswer } from './is-free.ts'

const now = '2026-06-15T09:00:00.000Z'
const OFF = { inDeebMode: false, since: null, until: null }

function colleague(
  name: string,
  email: string,
  presence: { inDeebMode: boolean; since: string | null; until: string | null } = OFF,
) {
  const [firstName = null, lastName = null] = name.split(' ')
  const id = crypto.randomUUID()
  return { id, person: { id, username: null, firstName, lastName, email }, presence }
}

const ann = colleague('Ann Meyer', 'ann.meyer@acme.example')
const other = colleague('Ann Smith', 'ann.smith@acme.example')
const joann = colleague('Joann Öztürk', 'joann@acme.example', {
  inDeebMode: true,
  since: now,
  until: '2026-06-15T09:47:00.000Z',
})
const team = {
  ...{ openSession: null, forgottenSession: null, version: 1, serverTime: now, requests: [], sent: [] },
  connections: [ann, joann],
  throughCircles: [{ person: other.person, presence: OFF, circleIds: [] }],
}

test.each([
  ['Meyer', 'free'],
  ['meyer, ann', 'free'],
  ['ANN.SMITH@acme.example', 'free'],
  ['Ann', 'several'],
  ['An', 'not_found'],
  ['Ann Miller', 'not_found'],
  ['', 'not_found'],
  ['öztürk', 'in_deeb_mode'],
  ['öztürk'.normalize('NFD'), 'in_deeb_mode'],
])('freeAnswer for "%s" is %s', (name, answer) => {
  expect(freeAnswer(team, name).answer).toBe(answer)
})

test('freeAnswer rounds the time to come back, as the screens do', () => {
  expect(freeAnswer(team, 'Joann')).toEqual({ answer: 'in_deeb_mode', since: now, until: '2026-06-15T09:45:00.000Z' })
})
