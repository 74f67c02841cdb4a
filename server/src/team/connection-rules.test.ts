// Runs in npm run test:all.
import { isDeepStrictEqual } from 'node:util'
import { answerRequest, quitConnection, requestConnection, takeBackRequest } from '@deeb/core/team/api'
import type { ConnectionStatus } from '@deeb/core/team/connection'
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { expect } from 'vitest'
import { statement } from '../db/db.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { runs } from '../testing/runs.ts'
import { test as base } from '../testing/test.ts'
import { withoutLimits } from '../testing/without-limits.ts'

const test = base.extend('stores', { scope: 'file' }, { callLimitStore: withoutLimits() }).extend('team', ({ app }) => {
  async function pair(people: MadeUser[]) {
    const ids = people.map(({ userId }) => userId)
    const found = await app.db.query<PairRow>(rows, { ids })
    expect(found.length).toBeLessThanOrEqual(1)
    const [row] = found
    if (!row) return null
    const { id, requesterId, ...rest } = row
    return { id, between: { requester: ids.indexOf(requesterId) as 0 | 1, ...rest } }
  }
  async function perform({ by, does }: Act, people: MadeUser[], rowId: string): Promise<string> {
    const [me, other] = [people[by] as MadeUser, people[1 - by] as MadeUser]
    const { status, body, error } = await (does === 'ask'
      ? app.call(requestConnection, { userId: other.userId }, me)
      : does === 'quit'
        ? app.call(quitConnection, { connectionId: rowId }, me)
        : does === 'take back'
          ? app.call(takeBackRequest, { requestId: rowId }, me)
          : app.call(answerRequest, { requestId: rowId, answer: does }, me))
    if (status !== 200) return error.code
    if ('takenBack' in body) return 'taken back'
    return 'status' in body ? body.status : 'quit'
  }
  return { pair, perform }
})

/** One act of one side of a pair. All but `ask` refer to the row before the round. */
interface Act {
  by: 0 | 1
  does: 'ask' | 'take back' | 'accepted' | 'declined' | 'quit'
}

/** The connection or request of the pair, and whether it is the row from before the round. */
interface Row {
  requester: 0 | 1
  status: ConnectionStatus
  isTakenBack: boolean
  isOld: boolean
}

/** The reference model: the row after one act, and the response. */
function step(row: Row | null, { by, does }: Act): [Row | null, string] {
  const isReceiver = row !== null && row.requester !== by
  const asked: Row = { requester: by, status: 'pending', isTakenBack: false, isOld: false }
  if (does === 'ask') {
    if (row === null) return [asked, 'pending']
    if (row.status === 'accepted') return [row, 'connection_exists']
    if (row.isTakenBack) return [isReceiver ? asked : { ...asked, status: 'declined' }, 'pending']
    return isReceiver ? [{ ...row, status: 'accepted' }, 'accepted'] : [row, 'request_exists']
  }
  if (does === 'take back') {
    if (!row?.isOld || isReceiver) return [row, 'taken back']
    if (row.status === 'accepted') return [row, 'connection_exists']
    return [row.status === 'pending' ? null : { ...row, isTakenBack: true }, 'taken back']
  }
  if (does === 'quit') return [row?.isOld && row.status === 'accepted' ? null : row, 'quit']
  if (!row?.isOld || !isReceiver) return [row, 'not_found']
  if (row.status === 'pending') return [{ ...row, status: does }, does]
  return [row, row.status === does ? does : 'not_found']
}

/** Whether the acts, in some serial order, give these responses and this final row (serializable). */
function isSerializable(row: Row | null, left: { act: Act; response: string }[], end: Row | null): boolean {
  if (left.length === 0) return isDeepStrictEqual(row, end)
  return left.some(({ act, response }, index) => {
    const [next, expected] = step(row, act)
    return response === expected && isSerializable(next, left.toSpliced(index, 1), end)
  })
}

const rows = statement(
  'test.pair',
  `select id, requester_id as "requesterId", status, taken_back as "isTakenBack" from team_connections
  where requester_id = any(:ids) and receiver_id = any(:ids)`,
)

type PairRow = Pick<Row, 'status' | 'isTakenBack'> & { id: string; requesterId: string }

const act = fc.record<Act>({
  by: fc.constantFrom(0, 1),
  does: fc.constantFrom('ask', 'ask', 'take back', 'accepted', 'declined', 'quit'),
})
/** Rounds of concurrent acts. */
const rounds = fc.array(fc.array(act, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 })

test('property: concurrent acts of both sides equal the model in some serial order, with at most one row', async ({
  app,
  team,
}) => {
  await fc.assert(
    fc.asyncProperty(rounds, async (rounds) => {
      const people = [await makeUser(app), await makeUser(app)]
      for (const acts of rounds) {
        const before = await team.pair(people)
        const responses = await Promise.all(acts.map((act) => team.perform(act, people, before?.id ?? uuidv7())))
        const after = await team.pair(people)
        const row = before && { ...before.between, isOld: true }
        const end = after && { ...after.between, isOld: after.id === before?.id }
        const done = acts.map((act, index) => ({ act, response: responses[index] ?? '' }))
        expect(isSerializable(row, done, end), JSON.stringify({ row, done, end })).toBe(true)
      }
    }),
    runs(60, 3_000),
  )
})
