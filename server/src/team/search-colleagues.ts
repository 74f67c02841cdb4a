import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { searchColleagues as endpoint } from '@deeb/core/team/api'
import type { Person } from '@deeb/core/team/connection'
import { type SearchWord, searchWords } from '@deeb/core/team/search-words'
import { type Db, type Statement, statement } from '../db/db.ts'
import type { Params } from '../db/named-parameters.ts'
import type { Actor } from '../lib/actor.ts'
import { deactivatedOf } from '../presence/who-sees.ts'

const MAX_RESULTS = 20

/**
 * Maximum number of inner matches to rank. With more, the result may miss better ones, except names that begin with the
 * word.
 */
const MAX_CANDIDATES = 500

type Kind = 'long' | 'short'

const COLUMN = { long: 'search_text', short: 'search_words' } as const

const NAMES = `coalesce(first_name_key, '') || ' ' || coalesce(last_name_key, '') || ' ' || coalesce(username_key, '')`

/**
 * SQL: the first 20 colleagues whose `key` is in the range `:from` to `:until`, by the index on `company_domain, order`.
 */
function beginningWith(key: string, order: string): string {
  return `(select id from profiles where company_domain = (select company_domain from me)
    and ${key} >= (select :from::text) and ${key} < (select :until::text) and id not in (select id from excluded)
    order by ${order} limit ${MAX_RESULTS})`
}

/**
 * The statement for one or two words of these kinds, which the index looks up. Further words filter its result.
 *
 * The patterns are in subselects to hide them from the planner. For a pattern that it considers common it would scan all
 * profiles instead of the index, which is always slower.
 */
function search(...kinds: Kind[]): Statement {
  const conditions = kinds.map((kind, index) => `${COLUMN[kind]} like (select :pattern${index + 1}::text)`)
  return statement(
    `team.search-${kinds.join('-')}`,
    `with me as (
      select company_domain from profiles where id = :userId
    ), excluded as materialized (
      select case when requester_id = :userId then receiver_id else requester_id end as id from team_connections
      -- Not by other rows of requests from the actor: a declined one must look pending.
      where :userId in (requester_id, receiver_id)
        and (status = 'accepted' or (status = 'pending' and receiver_id = :userId))
      union all select :userId
      union all ${deactivatedOf('(select company_domain from me)')}
    ), begins as materialized (
      ${beginningWith('first_name_key', 'first_name_key, last_name_key')}
      union ${beginningWith('last_name_key', 'last_name_key, first_name_key')}
      union ${beginningWith('username_key collate "C"', 'username_key collate "C"')}
    ), matching as materialized (
      select id from profiles where company_domain = (select company_domain from me)
        and ${conditions.join(' and ')} and search_text like all (:restLong::text[])
        and search_words like all (:restShort::text[])
        and id not in (select id from excluded)
    ), candidates as (
      select id from begins
      union (select id from matching where (select count(*) from begins) < ${MAX_RESULTS} limit ${MAX_CANDIDATES})
    )
    select id, username, first_name as "firstName", last_name as "lastName", email
    from candidates join profiles using (id) cross join lateral (
      select sum(case
        when starts_with(first_name_key, word) then 0
        when starts_with(last_name_key, word) then 1
        when starts_with(username_key, word) then 2
        when position(word in ${NAMES}) > 0 then 3
        else 4 end) as distance
      from unnest(:keys::text[]) as word
    ) as ranked
    order by distance, case distance when 1 then last_name_key when 2 then username_key collate "C" end,
      first_name_key, last_name_key, username_key collate "C", email collate "C"
    limit ${MAX_RESULTS}`,
  )
}

/** One statement per combination of words that the index looks up; the longer word is first. */
const SEARCHES = {
  long: search('long'),
  short: search('short'),
  'long-long': search('long', 'long'),
  'long-short': search('long', 'short'),
  'short-short': search('short', 'short'),
}

/** Sorts after every character that a name can start with. */
const LAST_CHARACTER = '\u{10FFFF}'

/**
 * Finds up to 20 colleagues who match every word of the query. Order: first names that begin with it, then last names,
 * usernames, other matches in names, email addresses; equal ones by name. Excludes the actor, their connections, and users who
 * wait for an answer of the actor or were deactivated by the company.
 */
export async function searchColleagues(
  db: Db,
  actor: Actor,
  { query }: InputOf<typeof endpoint>,
): Promise<OutputOf<typeof endpoint>> {
  const words = searchWords(query)
  if (words.length === 0) return { people: [] }
  return { people: await db.query<Person>(...searchFor(actor.userId, words)) }
}

/** The statement for these words, and its parameters. */
export function searchFor(userId: string, words: SearchWord[]): [Statement, Params] {
  const [first, second, ...rest] = words
  if (!first) throw new Error('There is nothing to search for.')
  const kinds = second ? (`${kindOf(first)}-${kindOf(second)}` as keyof typeof SEARCHES) : kindOf(first)
  // Only with a single word is every name that begins with it a result.
  const range = second ? { from: '', until: '' } : { from: first.key, until: first.key + LAST_CHARACTER }
  const patterns = { pattern1: patternOf(first), ...(second && { pattern2: patternOf(second) }) }
  const restOf = (kind: Kind) => rest.filter((word) => kindOf(word) === kind).map(patternOf)
  const keys = words.map(({ key }) => key)
  return [
    SEARCHES[kinds],
    { userId, ...range, keys, restLong: restOf('long'), restShort: restOf('short'), ...patterns },
  ]
}

function kindOf({ isShort }: SearchWord): Kind {
  return isShort ? 'short' : 'long'
}

function patternOf({ key, isShort }: SearchWord): string {
  const literal = key.replaceAll(/[\\%_]/g, '\\$&')
  return isShort ? `% ${literal}%` : `%${literal}%`
}
