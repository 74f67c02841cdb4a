import { Fragment, type ReactNode } from 'react'
import { Stopped } from './Stopped.tsx'

interface LinesProps {
  /** The text, with a line break where a new line begins. */
  text: string
  /** Breaks lines on one kind of screen only. */
  breaks?: 'phones-only' | 'not-on-phones'
}

/** A text of several lines. */
export function Lines({ text, breaks }: LinesProps) {
  return linesOf(text, breaks, (line) => line)
}

/** A title: its full stops are drawn as dots. */
export function StoppedLines({ text, breaks }: LinesProps) {
  return linesOf(text, breaks, (line) =>
    line
      .split(/(\S+)\.(?!\S)/)
      // biome-ignore lint/suspicious/noArrayIndexKey: the key is the place in the line.
      .map((part, n) => <Fragment key={n}>{n % 2 === 0 ? clear(part) : <Stopped>{clear(part)}</Stopped>}</Fragment>),
  )
}

function linesOf(text: string, breaks: LinesProps['breaks'], contentOf: (line: string) => ReactNode): ReactNode {
  return text.split('\n').map((line, n) => (
    <Fragment key={line}>
      {n > 0 ? (
        <>
          {' '}
          <br className={breaks} />
        </>
      ) : null}
      {contentOf(line)}
    </Fragment>
  ))
}

/** Adds space between f and i, which touch in a display size. */
function clear(text: string): ReactNode {
  return text.split(/(f)(?=i)/).map((part, n) =>
    n % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the key is the place in the text.
      <span key={n} className="clear-f">
        {part}
      </span>
    ),
  )
}
