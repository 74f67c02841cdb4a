import { createElement, Fragment, isValidElement, type ReactNode } from 'react'

/** No text contains it. */
const MARK = '\u0000'

/**
 * A text with elements for placeholders: `withElements(texts.quit, { name: <bdi>Ann</bdi> })`. Every other value goes into the text, so a
 * `count` still chooses the plural. Each part is an element: a translated page moves a bare text, and React could not remove it.
 */
export function withElements<Key extends string>(
  text: (inputs: Record<Key, NonNullable<unknown>>) => string,
  inputs: Record<Key, ReactNode>,
): ReactNode {
  const plain: Record<string, NonNullable<unknown>> = {}
  for (const key of Object.keys(inputs) as Key[]) {
    plain[key] = isValidElement(inputs[key]) ? MARK + key + MARK : (inputs[key] ?? '')
  }
  const parts = text(plain)
    .split(MARK)
    .map((part, index) => (index % 2 === 0 ? createElement('span', null, part) : inputs[part as Key]))
  return createElement(Fragment, null, ...parts)
}
