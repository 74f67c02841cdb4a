import { describe, expect, test } from 'vitest'
import { isOlderVersion } from './client-version.ts'

describe('threat 97: isOlderVersion', () => {
  test.each([
    ['0.1.0', '0.1.1'],
    ['0.9.0', '0.10.0'],
    ['9.0.0', '10.0.0'],
    ['0.1.9', '0.1.10'],
    ['1.99.99', '2.0.0'],
  ])('%s is older than %s, and not vice versa', (older, newer) => {
    expect(isOlderVersion(older, newer)).toBe(true)
    expect(isOlderVersion(newer, older)).toBe(false)
  })

  test('a version is not older than itself', () => {
    expect(isOlderVersion('1.2.3', '1.2.3')).toBe(false)
  })

  test.each([
    '',
    '2',
    '2.0',
    '2.0.0-beta.1',
    '2.0.0+build',
    'v2.0.0',
    '02.0.0',
    ' 2.0.0',
    '2.0.0\n',
    '1e9.0.0',
    '9'.repeat(99),
  ])('returns false for %j, which is not a release', (garbage) => {
    expect(isOlderVersion('0.0.1', garbage)).toBe(false)
    expect(isOlderVersion(garbage, '999.0.0')).toBe(false)
  })
})
