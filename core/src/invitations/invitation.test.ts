import { expect, test } from 'vitest'
import { circleLink, companyLink, invitationOf, senderOf } from './invitation.ts'

const SECRET = 'Zm9vYmFyLWJhel9xdXV4MQ'
const SIGNATURE = `${'aB3_-'.repeat(9)}xyz`
const fragmentOf = (link: string) => link.slice(link.indexOf('#'))

test('invitationOf reads the links of circles and companies, and nothing else', () => {
  const link = circleLink('https://deeb.example', SECRET)
  expect(link).toBe(`https://deeb.example/app/circle#${SECRET}`)
  expect(invitationOf(fragmentOf(link))).toEqual({ circle: SECRET, signature: null })
  expect(invitationOf(SECRET)).toEqual({ circle: SECRET, signature: null })
  const signed = circleLink('https://deeb.example', SECRET, SIGNATURE)
  expect(invitationOf(fragmentOf(signed))).toEqual({ circle: SECRET, signature: SIGNATURE })
  const company = companyLink('https://deeb.example', SIGNATURE)
  expect(company).toBe(`https://deeb.example/app/invite#${SIGNATURE}`)
  expect(invitationOf(fragmentOf(company))).toEqual({ circle: null, signature: SIGNATURE })
  for (const other of ['', '#', `#${SECRET}x`, SECRET.slice(1), `#/${SECRET.slice(1)}`, `${SIGNATURE}${SECRET}x`]) {
    expect(invitationOf(other)).toBeNull()
  }
})

test('senderOf reads the id at the beginning of a signature', () => {
  // The bytes 0, 17, …, 238, 255.
  expect(senderOf(`ABEiM0RVZneImaq7zN3u_${'w'.repeat(27)}`)).toBe('00112233-4455-6677-8899-aabbccddeeff')
})
