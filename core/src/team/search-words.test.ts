import { expect, test } from 'vitest'
import { searchWords } from './search-words.ts'

const keys = (query: string) => searchWords(query).map(({ key }) => key)

test('searchWords splits at any white space and removes duplicates', () => {
  expect(keys('  ann\t meyer\u3000 ANN ')).toEqual(['MEYER', 'ANN'])
  expect(keys(' \n ')).toEqual([])
  expect(keys('ßa mia')).toEqual(['MIA', 'SSA'])
})

test('searchWords ignores letter case and the form of accents in every script', () => {
  expect(keys('Straße')).toEqual(keys('STRASSE'))
  expect(keys('ΟΔΥΣΣΕΥΣ')).toEqual(keys('οδυσσευς'))
  expect(keys('e\u0301lodie')).toEqual(['ÉLODIE'])
})

test('searchWords marks one or two typed letters as short', () => {
  const isShort = (word: string) => searchWords(word)[0]?.isShort
  expect(['a', 'an', 'ß', 'ßa', '𝒜𝒜'].map(isShort)).toEqual([true, true, true, true, true])
  expect(['ann', 'ßan'].map(isShort)).toEqual([false, false])
})

test('searchWords splits at characters that the database cannot store', () => {
  expect(keys('an\u0000na\ud800 b')).toEqual(['AN', 'NA', 'B'])
})
