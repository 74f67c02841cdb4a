import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pathOf } from './deep-link.ts'

const SERVER = 'https://deeb.example'

beforeEach(() => {
  // As in iOS before 17 and Android's web view before 120.
  vi.spyOn(URL, 'canParse').mockImplementation(() => {
    throw new TypeError('URL.canParse is not a function')
  })
})
afterEach(() => {
  vi.restoreAllMocks()
})

test.each([
  [`${SERVER}/app/confirm#token_hash=x&type=signup`, '/app/confirm#token_hash=x&type=signup'],
  [`${SERVER}/app/reset-password#token_hash=x`, '/app/reset-password#token_hash=x'],
  [`${SERVER}/app/sso#code=x`, '/app/sso#code=x'],
  [`${SERVER}/t#AAAAAAAAAAAAAAAAAAAAAA`, '/t#AAAAAAAAAAAAAAAAAAAAAA'],
  ['app.deeb.focus://sso#code=x', '/app/sso#code=x'],
  ['app.deeb.focus://sso/app/confirm#token_hash=x', null],
  ['https://sso#code=x', null],
  // Another server, or one that looks like ours.
  ['https://evil.example/app/confirm#token_hash=x', null],
  ['https://deeb.example.evil.example/app/confirm', null],
  ['https://deeb.example@evil.example/app/confirm', null],
  ['http://deeb.example/app/confirm', null],
  ['app.deeb.focus://deeb.example/app/confirm', null],
  // Paths that no email links to.
  [`${SERVER}/app/settings`, null],
  [`${SERVER}//evil.example/app/confirm`, null],
  ['not a link', null],
])('the path of %s is %s', (link, path) => {
  expect(pathOf(link, SERVER)).toBe(path)
})
