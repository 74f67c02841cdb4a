import { usernameKey } from '@deeb/core/account/username'
import { searchColleagues } from '@deeb/core/team/api'
import { searchWords } from '@deeb/core/team/search-words'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { statement } from '../db/db.ts'
import { type MadeUser, makeConnection, makeUser } from '../testing/make.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'

let testApp: TestApp
beforeAll(async () => {
  testApp = await startTestApp()
})
afterAll(() => testApp.close())

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

async function makePerson(email: string, { firstName = null, lastName = null, username = null }: Names = {}) {
  const person = await makeUser(testApp, { email })
  const keyOf = (name: string | null) => name && usernameKey(name)
  const keys = { firstNameKey: keyOf(firstName), lastNameKey: keyOf(lastName), usernameKey: keyOf(username) }
  await testApp.db.query(rename, { userId: person.userId, firstName, lastName, username, ...keys })
  return person
}

/** The email addresses of the results without their domain, best match first. */
async function found(by: MadeUser, query: string): Promise<string[]> {
  const { body } = await testApp.call(searchColleagues, { query }, by)
  return body.people.map(({ email }) => email.slice(0, email.indexOf('@')))
}

let company = ''
let count = 0
let me: MadeUser
const colleague = (local: string, names?: Names) => makePerson(`${local}@${company}`, names)
beforeEach(async () => {
  count += 1
  company = `company${count}.example`
  me = await colleague('zzzz.me')
})

describe('searching for colleagues', () => {
  test('finds three or more letters anywhere in a name, username or email address', async () => {
    await colleague('x1', { firstName: 'Johanna', lastName: 'Ek' })
    await colleague('x2', { firstName: 'Bo', lastName: 'Lindhann' })
    await colleague('x3', { username: 'the hann' })
    await colleague('shanning')
    expect(await found(me, 'HANN')).toEqual(['x2', 'x1', 'x3', 'shanning'])
    expect(await found(me, `2@${company}`)).toEqual(['x2'])
    expect(await found(me, 'nobody')).toEqual([])
  })

  test('finds one or two letters only at the beginning of words', async () => {
    await colleague('x1', { firstName: 'Johanna', lastName: 'Ek' })
    await colleague('x2', { firstName: 'Anna-Hilde', lastName: 'Berg' })
    await colleague('x3', { username: "the o'hara" })
    await colleague('x4.hu')
    expect(await found(me, 'h')).toEqual(['x2', 'x3', 'x4.hu'])
    expect(await found(me, 'an')).toEqual(['x2'])
    // All colleagues have the same domain: its beginning does not match.
    expect(await found(me, 'co')).toEqual([])
  })

  test('requires every word to match in any field', async () => {
    await colleague('x1', { firstName: 'Ann', lastName: 'Meyer' })
    await colleague('x2', { firstName: 'Ann', lastName: 'Berg', username: 'melon' })
    await colleague('x3', { firstName: 'Meta', lastName: 'Hahn' })
    expect(await found(me, 'me ann')).toEqual(['x1', 'x2'])
    expect(await found(me, 'meyer ann')).toEqual(['x1'])
    expect(await found(me, 'a m')).toEqual(['x1', 'x2'])
    expect(await found(me, `ann b me lon ${company}`)).toEqual(['x2'])
    expect(await found(me, 'ann b me lon melons')).toEqual([])
  })

  test('ranks first names that begin with the word, then last names, usernames, other matches, addresses', async () => {
    await colleague('tomson')
    await colleague('x1', { firstName: 'Atom', lastName: 'Ek' })
    await colleague('x2', { username: 'tommy' })
    await colleague('x3', { firstName: 'Zoe', lastName: 'Tomba' })
    await colleague('x4', { firstName: 'Tomas', lastName: 'Vik' })
    await colleague('x5', { firstName: 'Tomas', lastName: 'Ek' })
    expect(await found(me, 'tom')).toEqual(['x5', 'x4', 'x3', 'x2', 'x1', 'tomson'])
  })

  test('returns the 20 best matches', async () => {
    for (let n = 10; n < 40; n++) await colleague(`y${n}`, { firstName: `Rune${n}`, lastName: 'Ek' })
    for (let n = 0; n < 5; n++) await colleague(`arune${n}`)
    const best = Array.from({ length: 20 }, (_, n) => `y${n + 10}`)
    expect(await found(me, 'rune')).toEqual(best)
    expect(await found(me, 'r')).toEqual(best)
    expect(await found(me, 'ru ek')).toHaveLength(20)
  })

  test('ignores letter case beyond ASCII on both engines', async () => {
    await colleague('x1', { firstName: 'Éloïse', lastName: 'Åström' })
    await colleague('x2', { username: 'ΟΔΥΣΣΕΥΣ' })
    for (const query of ['éloïse', 'ÉL', 'åström', 'STRÖM', 'å']) expect(await found(me, query)).toEqual(['x1'])
    for (const query of ['οδυσσευς', 'ο']) expect(await found(me, query)).toEqual(['x2'])
  })

  test('escapes %, _ and \\', async () => {
    await colleague('x1', { username: '100%_\\o/' })
    await colleague('x2', { username: '100 abc' })
    for (const query of ['0%_', '%_\\', '100%', '_\\o/']) expect(await found(me, query)).toEqual(['x1'])
    for (const query of ['%%%', '___', '%', '_', '1_0', '\\%']) expect(await found(me, query)).toEqual([])
  })

  test('excludes the actor, strangers, connections and pending requests', async () => {
    const [bea, cleo] = [await colleague('fay.bea'), await colleague('fay.cleo')]
    await makePerson('fay@elsewhere.example')
    expect(await found(me, 'fay')).toEqual(['fay.bea', 'fay.cleo'])
    expect(await found(me, 'zzzz')).toEqual([])
    await makeConnection(testApp, bea, me)
    await makeConnection(testApp, me, cleo)
    expect(await found(me, 'fay')).toEqual([])
  })

  test('finds nobody without a company', async () => {
    const [one, other] = [await makePerson('one.a@gmail.com'), await makePerson('one.b@gmail.com')]
    expect([await found(one, 'one'), await found(other, 'o')]).toEqual([[], []])
  })

  test('finds nobody for an empty query, and accepts characters that cannot be stored', async () => {
    await colleague('anna')
    for (const query of ['', ' ', '\u0000', '\ud800']) expect(await found(me, query)).toEqual([])
    expect(await found(me, 'an\u0000na')).toEqual([])
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

  test('property: search finds exactly the colleagues who match every word', async () => {
    const people: { names: (string | null)[]; email: string }[] = []
    for (const [firstName, lastName, username] of fc.sample(fc.tuple(name, name, name), { numRuns: 18, seed: 7 })) {
      const local = `${'abe'[people.length % 3]}${people.length}.ab`
      const unique = username === null ? null : `${username}${people.length}`
      await colleague(local, { firstName, lastName, username: unique })
      people.push({ names: [firstName, lastName, unique], email: `${local}@${company}` })
    }
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 3 }), async (typed) => {
        // Slow enough for the rate limit.
        testApp.clock.advance({ seconds: 1 })
        const query = typed.join(' ')
        const words = searchWords(query)
        const expected = people.filter(({ names, email }) => words.every((word) => matches(word, names, email)))
        const locals = expected.map(({ email }) => email.slice(0, email.indexOf('@')))
        expect((await found(me, query)).sort(), query).toEqual(words.length === 0 ? [] : locals.sort())
      }),
      { numRuns: 300 },
    )
  })
})
