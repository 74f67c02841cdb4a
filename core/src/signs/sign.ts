import * as v from 'valibot'
import { Instant } from '../formats.ts'
import type { Presence } from '../presence/presence.ts'

/** A person has at most this many signs, those of circles included. */
export const MAX_SIGNS = 5
export const MAX_LABEL_LENGTH = 40

/** The link of a sign. Only the answer of its creation has the secret. A literal path: see display.ts. */
export function signLink(origin: string, token: string): string {
  return `${origin}/sign#${token}`
}

const State = v.picklist(['deep', 'free', 'unknown'])

/** One member on the sign of a circle. */
const Dot = v.object({
  state: v.picklist(['deep', 'free']),
  /** Only if every member on the sign agreed to be named. */
  name: v.optional(v.string()),
})

/** The content of a sign. */
export const SignState = v.object({
  /** `unknown` if the sign is of a circle in which nobody agreed. For a circle, `deep` if anybody on the sign is. */
  state: State,
  /** Since when the person is in deeb mode, if the sign shows times. */
  since: v.nullable(Instant),
  /** Until when roughly, if the sign shows times and the person said so. */
  until: v.nullable(Instant),
  /** If the sign shows the name of its person. */
  name: v.optional(v.string()),
  /** For the sign of a circle: first those in deeb mode, or by name if it shows names. */
  dots: v.optional(v.array(Dot)),
  /** The time at which this was true, by the clock of the server. */
  asOf: Instant,
})
export type SignState = v.InferOutput<typeof SignState>
type Dot = v.InferOutput<typeof Dot>

/** The state of the sign of one person. */
export function personSign(
  { inDeebMode, since, until }: Presence,
  shows: { name: string | null; until: boolean },
  now: Date,
): SignState {
  return {
    state: inDeebMode ? 'deep' : 'free',
    since: shows.until ? since : null,
    until: (shows.until && until) || null,
    ...(shows.name !== null && { name: shows.name }),
    asOf: now.toISOString(),
  }
}

/** A member on the sign of a circle. `name` is null if they did not agree to be named. */
export interface MemberOnSign {
  inDeebMode: boolean
  name: string | null
}

/**
 * The state of the sign of a circle. Without names the dots are in no order of people, so that a place on the sign does not tell who it
 * is. One person without a name hides the names of all: else the last dot would be known by elimination.
 */
export function circleSign(members: MemberOnSign[], now: Date): SignState {
  const hasNames = members.every(({ name }) => name !== null)
  const dots = members.map(
    ({ inDeebMode, name }): Dot => ({
      state: inDeebMode ? 'deep' : 'free',
      ...(hasNames && name !== null && { name }),
    }),
  )
  const order = (dot: Dot) => dot.name ?? (dot.state === 'deep' ? '0' : '1')
  dots.sort((a, b) => order(a).localeCompare(order(b), 'en'))
  const state = members.length === 0 ? 'unknown' : members.some(({ inDeebMode }) => inDeebMode) ? 'deep' : 'free'
  return { state, since: null, until: null, dots, asOf: now.toISOString() }
}

/**
 * The state as one line for small displays. The first word is `deep`, `free` or `unknown`. Then, each where the sign shows it:
 * ` until <instant>`, ` <n>/<all>` for a circle, ` - <names>` of the person or of those in deeb mode.
 */
export function signLine({ state, until, name, dots }: SignState): string {
  const deep = dots?.filter((dot) => dot.state === 'deep')
  const names = deep?.flatMap((dot) => dot.name ?? []).join(', ') || name
  return [
    state,
    until ? ` until ${until.replace(/\.\d+Z$/, 'Z')}` : '',
    dots && deep ? ` ${deep.length}/${dots.length}` : '',
    names ? ` - ${names}` : '',
  ].join('')
}
