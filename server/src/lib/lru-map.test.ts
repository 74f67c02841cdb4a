import { expect, test } from 'vitest'
import { createLruMap } from './lru-map.ts'

test('an LRU map evicts the least recently used entry', () => {
  const map = createLruMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  expect(map.get('a')).toBe(1)
  map.set('c', 3)
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3])
})

test('setting a key again replaces its value and evicts nothing', () => {
  const map = createLruMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('b', 3)
  expect([map.get('a'), map.get('b')]).toEqual([1, 3])
  map.delete('a')
  expect(map.get('a')).toBeUndefined()
})
