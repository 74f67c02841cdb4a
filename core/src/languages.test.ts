import * as v from 'valibot'
import { expect, test } from 'vitest'
import { Profile } from './account/profile.ts'
import { directionOf, isLanguage, languageFor } from './languages.ts'

test.each([
  [['de-AT', 'en'], 'de'],
  [['pt-BR', 'FR-ca'], 'fr'],
  [['ja'], 'en'],
  [['', '-', 'constructor'], 'en'],
  [[], 'en'],
])('languageFor(%j) is %s', (tags, language) => expect(languageFor(tags)).toBe(language))

test('Arabic runs from right to left', () => {
  expect([directionOf('ar-XB'), directionOf('de'), directionOf('arn')]).toEqual(['rtl', 'ltr', 'ltr'])
})

test('a client accepts a language of a newer server, and does not take it for one of its own', () => {
  const profile = { id: '33333333-3333-4333-8333-333333333333', email: 'mara.lind@fjordlab.example', language: 'xx' }
  const names = { username: null, firstName: null, lastName: null, companyDomain: null }
  expect(v.parse(Profile, { ...profile, ...names }).language).toBe('xx')
  expect(isLanguage('xx')).toBe(false)
})
