import { Fragment, isValidElement, type ReactNode } from 'react'

/** No text contains it. */
const MARK = '\u0000'

/**
 * A text with elements for placeholders: `withElements(texts.quit, { name: <bdi>Ann</bdi> })`. Every other value goes into the text, so a
 * `count` still chooses the plural.
 */
export function withElements<Key extends string>(
  text: (inputs: Record<Key, NonNullable<unknown>>) => string,
  inputs: Record<Key, ReactNode>,
): ReactNode {
  const plain: Record<string, NonNullable<unknown>> = {}
  for (const key of Object.keys(inputs) as Key[]) {
    plain[key] = isValidElement(inputs[key]) ? MARK + key + MARK : (inputs[key] ?? '')
  }
  return text(plain)
    .split(MARK)
    .map((part, index) => (index % 2 === 0 ? part : <Fragment key={part}>{inputs[part as Key]}</Fragment>))
}
