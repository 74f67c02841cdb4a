import { useRef, useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { useFocusAfterRemoval } from './use-focus-after-removal.ts'

/** Changes the list from outside, as a live event does. */
let show: (names: string[]) => void

function Team() {
  const [names, setNames] = useState(['Ada', 'Jonas', 'Priya'])
  show = setNames
  const list = useRef<HTMLUListElement>(null)
  useFocusAfterRemoval(list, 'h1')
  return (
    <main style={{ minHeight: 400 }}>
      <h1 tabIndex={-1}>Team</h1>
      <ul ref={list}>
        {names.map((name) => (
          <li key={name}>
            <button type="button" onClick={() => setNames(names.filter((other) => other !== name))}>
              {name}
            </button>
          </li>
        ))}
      </ul>
    </main>
  )
}

const row = (name: string) => page.getByRole('button', { name })

test('the focus moves to the row that takes the place, or to the heading of an empty list', async () => {
  await render(<Team />)
  row('Jonas').element().focus()
  show(['Ada', 'Priya'])
  await expect.element(row('Priya')).toHaveFocus()
  show(['Ada'])
  await expect.element(row('Ada')).toHaveFocus()
  show([])
  await expect.element(page.getByRole('heading', { name: 'Team' })).toHaveFocus()
})

test('a press that removes its own row moves the focus to the next one, repeatedly', async () => {
  await render(<Team />)
  await userEvent.click(row('Ada'))
  await expect.element(row('Jonas')).toHaveFocus()
  await userEvent.click(row('Jonas'))
  await expect.element(row('Priya')).toHaveFocus()
})

test('the focus stays on a row that moves', async () => {
  await render(<Team />)
  for (const names of [
    ['Jonas', 'Priya', 'Ada'],
    ['Ada', 'Priya', 'Jonas'],
    ['Priya', 'Jonas', 'Ada'],
  ]) {
    row('Jonas').element().focus()
    show(names)
    await expect.element(page.getByRole('listitem').nth(names.indexOf('Ada'))).toHaveTextContent('Ada')
    await expect.element(row('Jonas')).toHaveFocus()
  }
})

test('a press outside the list releases the focus, and later changes do not move it', async () => {
  await render(<Team />)
  row('Jonas').element().focus()
  await userEvent.click(page.getByRole('main'), { position: { x: 300, y: 390 } })
  expect(document.activeElement).toBe(document.body)
  show(['Priya', 'Jonas', 'Ada'])
  await expect.element(page.getByRole('listitem').first()).toHaveTextContent('Priya')
  expect(document.activeElement).toBe(document.body)
})
