import { expect, test } from 'vitest'
import { createBoundedMap } from './bounded-map.ts'

test('what was not asked for the longest is forgotten first', () => {
  const map = createBoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  expect(map.get('a')).toBe(1)
  map.set('c', 3)
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3])
})

test('setting again replaces, and forgets nothing else', () => {
  const map = createBoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('b', 3)
  expect([map.get('a'), map.get('b')]).toEqual([1, 3])
  map.delete('a')
  expect(map.get('a')).toBeUndefined()
})
