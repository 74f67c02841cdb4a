import { usernameKey } from '@deeb/core/account/username'
import { searchColleagues } from '@deeb/core/team/api'
import { searchWords } from '@deeb/core/team/search-words'
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { statement } from '../db/db.ts'
import { type MadeUser, makeConnection, makeUser } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'

const test = base.extend('team', ({ app }) => {
  async function makePerson(email: string, { firstName = null, lastName = null, username = null }: Names = {}) {
    const person = await makeUser(app, { email })
    const keyOf = (name: string | null) => name && usernameKey(name)
    const keys = { firstNameKey: keyOf(firstName), lastNameKey: keyOf(lastName), usernameKey: keyOf(username) }
    await app.db.query(rename, { userId: person.userId, firstName, lastName, username, ...keys })
    return person
  }
  /** The email addresses of the results without their domain, best match first. */
  async function found(by: MadeUser, query: string): Promise<string[]> {
    const { body } = await app.call(searchColleagues, { query }, by)
    return body.people.map(({ email }) => email.slice(0, email.indexOf('@')))
  }
  const colleague = (local: string, names?: Names) => makePerson(`${local}@${company}`, names)
  return { makePerson, found, colleague }
})

interface Names {
  firstName?: string | null
  lastName?: string | null
  username?: string | null
}

const rename = statement(
  'test.rename',
  `update profiles set first_name = :firstName, first_name_key = :firstNameKey, last_name = :lastName,
    last_name_key = :lastNameKey, username = :username, username_key = :usernameKey where id = :userId`,
)

let company = ''
let count = 0
let me: MadeUser
test.beforeEach(async ({ team }) => {
  count += 1
  company = `company${count}.example`
  me = await team.colleague('zzzz.me')
})

describe('searching for colleagues', () => {
  test('finds three or more letters anywhere in a name, username or email address', async ({ team }) => {
    await team.colleague('x1', { firstName: 'Johanna', lastName: 'Ek' })
    await team.colleague('x2', { firstName: 'Bo', lastName: 'Lindhann' })
    await team.colleague('x3', { username: 'the hann' })
    await team.colleague('shanning')
    expect(await team.found(me, 'HANN')).toEqual(['x2', 'x1', 'x3', 'shanning'])
    expect(await team.found(me, `2@${company}`)).toEqual(['x2'])
    expect(await team.found(me, 'nobody')).toEqual([])
  })

  test('finds one or two letters only at the beginning of words', async ({ team }) => {
    await team.colleague('x1', { firstName: 'Johanna', lastName: 'Ek' })
    await team.colleague('x2', { firstName: 'Anna-Hilde', lastName: 'Berg' })
    await team.colleague('x3', { username: "the o'hara" })
    await team.colleague('x4.hu')
    expect(await team.found(me, 'h')).toEqual(['x2', 'x3', 'x4.hu'])
    expect(await team.found(me, 'an')).toEqual(['x2'])
    // All colleagues have the same domain: its beginning does not match.
    expect(await team.found(me, 'co')).toEqual([])
  })

  test('requires every word to match in any field', async ({ team }) => {
    await team.colleague('x1', { firstName: 'Ann', lastName: 'Meyer' })
    await team.colleague('x2', { firstName: 'Ann', lastName: 'Berg', username: 'melon' })
    await team.colleague('x3', { firstName: 'Meta', lastName: 'Hahn' })
    expect(await team.found(me, 'me ann')).toEqual(['x1', 'x2'])
    expect(await team.found(me, 'meyer ann')).toEqual(['x1'])
    expect(await team.found(me, 'a m')).toEqual(['x1', 'x2'])
    expect(await team.found(me, `ann b me lon ${company}`)).toEqual(['x2'])
    expect(await team.found(me, 'ann b me lon melons')).toEqual([])
  })

  test('ranks first names that begin with the word, then last names, usernames, other matches, addresses', async ({
    team,
  }) => {
    await team.colleague('tomson')
    await team.colleague('x1', { firstName: 'Atom', lastName: 'Ek' })
    await team.colleague('x2', { username: 'tommy' })
    await team.colleague('x3', { firstName: 'Zoe', lastName: 'Tomba' })
    await team.colleague('x4', { firstName: 'Tomas', lastName: 'Vik' })
    await team.colleague('x5', { firstName: 'Tomas', lastName: 'Ek' })
    expect(await team.found(me, 'tom')).toEqual(['x5', 'x4', 'x3', 'x2', 'x1', 'tomson'])
  })

  test('returns the 20 best matches', async ({ team }) => {
    for (let n = 10; n < 40; n++) await team.colleague(`y${n}`, { firstName: `Rune${n}`, lastName: 'Ek' })
    for (let n = 0; n < 5; n++) await team.colleague(`arune${n}`)
    const best = Array.from({ length: 20 }, (_, n) => `y${n + 10}`)
    expect(await team.found(me, 'rune')).toEqual(best)
    expect(await team.found(me, 'r')).toEqual(best)
    expect(await team.found(me, 'ru ek')).toHaveLength(20)
  })

  test('ignores letter case beyond ASCII on both engines', async ({ team }) => {
    await team.colleague('x1', { firstName: 'Éloïse', lastName: 'Åström' })
    await team.colleague('x2', { username: 'ΟΔΥΣΣΕΥΣ' })
    for (const query of ['éloïse', 'ÉL', 'åström', 'STRÖM', 'å']) expect(await team.found(me, query)).toEqual(['x1'])
    for (const query of ['οδυσσευς', 'ο']) expect(await team.found(me, query)).toEqual(['x2'])
  })

  test('escapes %, _ and \\', async ({ team }) => {
    await team.colleague('x1', { username: '100%_\\o/' })
    await team.colleague('x2', { username: '100 abc' })
    for (const query of ['0%_', '%_\\', '100%', '_\\o/']) expect(await team.found(me, query)).toEqual(['x1'])
    for (const query of ['%%%', '___', '%', '_', '1_0', '\\%']) expect(await team.found(me, query)).toEqual([])
  })

  test('excludes the actor, strangers, connections and pending requests', async ({ app, team }) => {
    const [bea, cleo] = [await team.colleague('fay.bea'), await team.colleague('fay.cleo')]
    await team.makePerson('fay@elsewhere.example')
    expect(await team.found(me, 'fay')).toEqual(['fay.bea', 'fay.cleo'])
    expect(await team.found(me, 'zzzz')).toEqual([])
    await makeConnection(app, bea, me)
    await makeConnection(app, me, cleo)
    expect(await team.found(me, 'fay')).toEqual([])
  })

  test('finds nobody without a company', async ({ team }) => {
    const [one, other] = [await team.makePerson('one.a@gmail.com'), await team.makePerson('one.b@gmail.com')]
    expect([await team.found(one, 'one'), await team.found(other, 'o')]).toEqual([[], []])
  })

  test('finds nobody for an empty query, and accepts characters that cannot be stored', async ({ team }) => {
    await team.colleague('anna')
    for (const query of ['', ' ', '\u0000', '\ud800']) expect(await team.found(me, query)).toEqual([])
    expect(await team.found(me, 'an\u0000na')).toEqual([])
  })
})

describe('a reference model', () => {
  const text = fc.string({ unit: fc.constantFrom(...'aabBéÉß%_\\-.@ '.split('')), minLength: 1, maxLength: 6 })
  const name = fc.option(text.map((name) => name.trim() || 'a'))

  /** Whether one word matches any of the fields. */
  function matches(word: { key: string; isShort: boolean }, names: (string | null)[], email: string): boolean {
    const keys = names.flatMap((name) => (name === null ? [] : [usernameKey(name)]))
    if (!word.isShort) return [...keys, email.toUpperCase()].some((key) => key.includes(word.key))
    const local = email.slice(0, email.indexOf('@')).toUpperCase()
    const words = [...keys, local].flatMap((key) => [...key.split(' '), ...key.split(/[ %_\\.@-]/)])
    return words.some((candidate) => candidate !== '' && candidate.startsWith(word.key))
  }

  test('property: search finds exactly the colleagues who match every word', async ({ clock, team }) => {
    const people: { names: (string | null)[]; email: string }[] = []
    for (const [firstName, lastName, username] of fc.sample(fc.tuple(name, name, name), { numRuns: 18, seed: 7 })) {
      const local = `${'abe'[people.length % 3]}${people.length}.ab`
      const unique = username === null ? null : `${username}${people.length}`
      await team.colleague(local, { firstName, lastName, username: unique })
      people.push({ names: [firstName, lastName, unique], email: `${local}@${company}` })
    }
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 3 }), async (typed) => {
        // Slow enough for the rate limit.
        clock.advance({ seconds: 1 })
        const query = typed.join(' ')
        const words = searchWords(query)
        const expected = people.filter(({ names, email }) => words.every((word) => matches(word, names, email)))
        const locals = expected.map(({ email }) => email.slice(0, email.indexOf('@')))
        expect((await team.found(me, query)).sort(), query).toEqual(words.length === 0 ? [] : locals.sort())
      }),
      { numRuns: 300 },
    )
  })
})
