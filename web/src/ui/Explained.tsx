import * as texts from '@deeb/texts/ui'
import { type ReactNode, useState } from 'react'
import { Disclosure } from './Disclosure.tsx'

interface ExplainedProps {
  /** The purpose of the page, in one sentence. */
  line: string
  picture: ReactNode
  /** The answers to `How safe is this?`. */
  safe: readonly string[]
  /** Further folds, before the one with the answers. */
  folds?: ReactNode
  children: ReactNode
}

/** The content of a page that connects deeb with something: a picture and a line, what can be done, and a fold with the rest. */
export function Explained({ line, picture, safe, folds, children }: ExplainedProps) {
  return (
    <main className="column flex-1 pb-5">
      <Intro line={line} picture={picture} />
      {children}
      <HowSafe safe={safe}>{folds}</HowSafe>
    </main>
  )
}

/** The picture and the line. */
export function Intro({ line, picture }: { line: string; picture: ReactNode }) {
  return (
    <>
      <div className="pt-2">{picture}</div>
      <p className="pt-4 text-body text-pretty">{line}</p>
    </>
  )
}

/** The fold with the answers, after other folds. */
export function HowSafe({ safe, children }: { safe: readonly string[]; children?: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <ul className="mt-8">
      {children}
      <Disclosure label={texts.howSafe()} value="" open={isOpen} onToggle={() => setIsOpen(!isOpen)}>
        {safe.map((sentence) => (
          <p key={sentence} className="mt-2 text-body text-pretty text-soft">
            {sentence}
          </p>
        ))}
      </Disclosure>
    </ul>
  )
}
