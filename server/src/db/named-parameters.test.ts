import { expect, test } from 'vitest'
import { resolveNames, valuesOf } from './named-parameters.ts'

test('names become positions in order of first use, and a repeated name is one parameter', () => {
  expect(resolveNames('update people set name = :name where id = :id and name <> :name')).toEqual({
    text: 'update people set name = $1 where id = $2 and name <> $1',
    names: ['name', 'id'],
  })
})

test.each([
  ['a cast', 'select :ids::uuid[], (1)::text', 'select $1::uuid[], (1)::text', ['ids']],
  ['a name after punctuation', 'select f(:a,:b), a[:a], -:b', 'select f($1,$2), a[$1], -$2', ['a', 'b']],
  ['a slice', 'select days[1:n], days[from:until]', 'select days[1:n], days[from:until]', []],
  ['a named argument', 'select make_interval(days := :days)', 'select make_interval(days := $1)', ['days']],
  [
    'a string',
    "select to_char(:at, 'HH24:MI :ss'), 'it''s :no'",
    "select to_char($1, 'HH24:MI :ss'), 'it''s :no'",
    ['at'],
  ],
  ['a quoted name', 'select ":a" from t where a = :a', 'select ":a" from t where a = $1', ['a']],
  ['a comment', "-- It's :b\nselect /* :b */ :a", "-- It's :b\nselect /* :b */ $1", ['a']],
  ['jsonb syntax', "select detail ? 'a:b', detail ->> :key", "select detail ? 'a:b', detail ->> $1", ['key']],
])('%s is parsed as PostgreSQL parses it', (_, sql, text, names) => {
  expect(resolveNames(sql)).toEqual({ text, names })
})

test('values follow the order of the names, null included', () => {
  const find = { name: 'test.find', names: ['email', 'now'] }
  expect(valuesOf(find, { now: 2, email: null })).toEqual([null, 2])
  expect(valuesOf({ name: 'test.all', names: [] })).toEqual([])
})

test('rejects missing and unknown parameters', () => {
  const find = { name: 'test.find', names: ['email', 'now'] }
  expect(() => valuesOf(find, { email: 'a' })).toThrow('The statement test.find needs the parameter :now.')
  expect(() => valuesOf(find)).toThrow('needs the parameter :email, :now.')
  expect(() => valuesOf(find, { email: 'a', now: 1, mail: 2 })).toThrow('has no parameter :mail.')
})
