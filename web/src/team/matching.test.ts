import { expect, test } from 'vitest'
import { matching } from './matching.ts'

const presence = { inDeebMode: false, since: null, version: 1 }
const person = (firstName: string, lastName: string) => ({
  ...{ id: firstName, username: firstName.toLowerCase(), firstName, lastName },
  email: `${firstName}.${lastName}@fjordlab.example`.toLowerCase(),
})
const ada = { id: '1', presence, person: person('Ada', 'Weber') }
const noa = { id: '2', presence, person: person('Noa', 'Berg') }

test.each([
  ['ada', [ada]],
  ['BER', [ada, noa]],
  ['noa berg', [noa]],
  ['fj', []],
  ['lab.example', []],
  ['a', [ada, noa]],
  ['ada.weber@fjord', [ada]],
  ['@fjordlab.example', [ada, noa]],
])('the filter ignores the domain except for words with an @: %s', (query, found) => {
  expect(matching([ada, noa], query)).toEqual(found)
})
