import type { SignState } from '@deeb/core/signs/sign'

/** What the page of a sign says, apart from its picture. */
export interface SignText {
  words: string
  times: string
}

/** `timeOf` writes an instant as local time. */
export function signText({ state, since, until, dots }: SignState, timeOf: (instant: string) => string): SignText {
  if (dots) return { words: circleWords(dots), times: '' }
  return {
    words: state === 'deep' ? 'in deeb mode' : 'free',
    times: until ? `until about ${timeOf(until)}` : since ? `since ${timeOf(since)}` : '',
  }
}

function circleWords(dots: NonNullable<SignState['dots']>): string {
  if (dots.length === 0) return 'nobody is on this sign yet'
  const deep = dots.filter(({ state }) => state === 'deep').length
  return `${deep} of ${dots.length} in deeb mode`
}
