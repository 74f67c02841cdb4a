import { expect, test } from 'vitest'
import { searchWords } from './search-words.ts'

const keys = (query: string) => searchWords(query).map(({ key }) => key)

test('words are told apart by whatever white space, and repeated ones count once', () => {
  expect(keys('  ann\t meyer\u3000 ANN ')).toEqual(['MEYER', 'ANN'])
  expect(keys(' \n ')).toEqual([])
  expect(keys('ßa mia')).toEqual(['MIA', 'SSA'])
})

test('letter case makes no difference in any script, nor does the form in which an accent is typed', () => {
  expect(keys('Straße')).toEqual(keys('STRASSE'))
  expect(keys('ΟΔΥΣΣΕΥΣ')).toEqual(keys('οδυσσευς'))
  expect(keys('e\u0301lodie')).toEqual(['ÉLODIE'])
})

test('one or two letters are short, counted as they are typed', () => {
  const isShort = (word: string) => searchWords(word)[0]?.isShort
  expect(['a', 'an', 'ß', 'ßa', '𝒜𝒜'].map(isShort)).toEqual([true, true, true, true, true])
  expect(['ann', 'ßan'].map(isShort)).toEqual([false, false])
})

test('what no name can hold separates words, so that it reaches no database', () => {
  expect(keys('an\u0000na\ud800 b')).toEqual(['AN', 'NA', 'B'])
})
