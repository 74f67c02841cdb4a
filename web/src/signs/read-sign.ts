import { SIGN_LIVE_PATH } from '@deeb/core/signs/display'
import type { SignState } from '@deeb/core/signs/sign'
import { createParser } from 'eventsource-parser'

/** Why a stream ended. `refused`: the link does not work, or not any more. */
export type SignEnd = 'ended' | 'lost' | 'refused'

/** Without a state for this long the connection is dead: the server sends one every 15 seconds. */
const SILENCE_MS = 35_000

type Event = ({ type: 'state' } & SignState) | { type: 'bye' }

/** Reads one stream of a sign until it ends, is silent or is aborted. Uses fetch: EventSource would need the secret in the URL. */
export async function readSign(
  token: string,
  onState: (state: SignState) => void,
  ended: AbortController,
): Promise<SignEnd> {
  const abort = () => ended.abort()
  let timer = setTimeout(abort, SILENCE_MS)
  const onData = (data: string) => {
    for (const event of JSON.parse(data) as Event[]) {
      if (event.type !== 'state') continue
      clearTimeout(timer)
      timer = setTimeout(abort, SILENCE_MS)
      onState(event)
    }
  }
  try {
    const { status, ok, body } = await fetch(SIGN_LIVE_PATH, {
      headers: { authorization: `Bearer ${token}` },
      cache: 'no-store',
      signal: ended.signal,
    })
    if (status === 401) return 'refused'
    if (!ok || !body) return 'lost'
    const parser = createParser({ onEvent: ({ data }) => onData(data) })
    const reader = body.pipeThrough(new TextDecoderStream()).getReader()
    for (let read = await reader.read(); !read.done; read = await reader.read()) parser.feed(read.value)
    return 'ended'
  } catch {
    return 'lost'
  } finally {
    clearTimeout(timer)
    abort()
  }
}
