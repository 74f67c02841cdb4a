import { useRef, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { useTapGuard } from './use-tap-guard.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function Requests() {
  const [names, setNames] = useState(['Ada', 'Jonas', 'Priya'])
  const list = useRef<HTMLUListElement>(null)
  useTapGuard(list, names.length)
  return (
    <ul ref={list}>
      {names.map((name) => (
        <li key={name}>
          <button type="button" onClick={() => setNames(names.filter((other) => other !== name))}>
            Accept {name}
          </button>
        </li>
      ))}
    </ul>
  )
}

test('a double tap does not press the row that moved under the finger', async () => {
  await render(<Requests />)
  const first = page.getByRole('button', { name: 'Accept Ada' })
  const { left, top } = first.element().getBoundingClientRect()
  const underFinger = () => document.elementFromPoint(left + 5, top + 5)?.textContent
  await first.click()
  await expect.element(first).not.toBeInTheDocument()
  expect(underFinger()).not.toBe('Accept Jonas')
  vi.advanceTimersByTime(400)
  expect(underFinger()).toBe('Accept Jonas')
})
