import { expect, test } from 'vitest'
import { linkSecretOf } from '../link-secret.ts'
import { SIGN_PATH } from './display.ts'
import { circleSign, personSign, signLine, signLink } from './sign.ts'

const NOW = new Date('2026-06-15T09:00:00.000Z')
const ON = { inDeebMode: true, since: '2026-06-15T08:50:00.000Z', until: '2026-06-15T09:40:00.000Z' }

test('linkSecretOf reads the secret of signLink, and nothing else', () => {
  const token = 'Zm9vYmFyLWJhel9xdXV4MQ'
  const link = signLink('https://deeb.example', token)
  expect(link).toBe(`https://deeb.example${SIGN_PATH}#${token}`)
  for (const text of [link, `#${token}`, ` ${token}\n`]) expect(linkSecretOf(text)).toBe(token)
  for (const other of ['', '#', `${token}x`, token.slice(1), `${link}/`]) expect(linkSecretOf(other)).toBeNull()
})

test('signLine has the state as its first word', () => {
  expect(signLine(personSign(ON, { name: null, until: false }, NOW))).toBe('deep')
  expect(signLine(personSign(ON, { name: 'Ann Meyer', until: true }, NOW))).toBe(
    'deep until 2026-06-15T09:40:00Z - Ann Meyer',
  )
  expect(signLine(circleSign([], NOW))).toBe('unknown 0/0')
  const members = [
    { inDeebMode: false, name: 'Ann' },
    { inDeebMode: true, name: 'Ben' },
  ]
  expect(signLine(circleSign(members, NOW))).toBe('deep 1/2 - Ben')
  expect(signLine(circleSign([...members, { inDeebMode: true, name: null }], NOW))).toBe('deep 2/3')
})
