import './tokens.css'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { NumberField } from './NumberField.tsx'

function Monday() {
  const [minutes, setMinutes] = useState(60)
  return (
    <>
      <NumberField label="Monday" value={minutes} onChange={setMinutes} min={0} max={1440} />
      <output>{minutes}</output>
    </>
  )
}

const field = () => page.getByRole('spinbutton', { name: 'Monday' })
const minutes = () => Number(page.getByRole('status').element().textContent)

test('typing replaces the value', async () => {
  await render(<Monday />)
  await userEvent.tab()
  await userEvent.keyboard('270')
  expect(minutes()).toBe(270)
})

test.each([
  ['-5', 0],
  ['9999', 1440],
  ['90.7', 90],
])('%s becomes %i', async (typed, expected) => {
  await render(<Monday />)
  await userEvent.tab()
  await userEvent.keyboard(typed)
  expect(minutes()).toBe(expected)
  await userEvent.tab()
  await expect.element(field()).toHaveValue(expected)
})

test('an empty field counts as 0 and stays empty', async () => {
  await render(<Monday />)
  await userEvent.clear(field())
  expect(minutes()).toBe(0)
  await expect.element(field()).toHaveValue(null)
  await userEvent.tab()
  await expect.element(field()).toHaveValue(0)
})

test('is 96 by 44 px with right-aligned digits', async () => {
  await render(<Monday />)
  expect(field().element().getBoundingClientRect()).toMatchObject({ width: 96, height: 44 })
  expect(getComputedStyle(field().element()).textAlign).toBe('right')
})

test.each([310, 240])(
  'the label is one line and the field is on the right, with text at 200 %% in %i px',
  async (width) => {
    document.documentElement.style.fontSize = '200%'
    await render(
      <div style={{ width, overflowWrap: 'anywhere' }}>
        <NumberField label="Wednesday" value={1440} onChange={() => {}} min={0} max={1440} />
      </div>,
    )
    const label = page.getByText('Wednesday').element().getBoundingClientRect()
    const input = page.getByRole('spinbutton').element().getBoundingClientRect()
    document.documentElement.style.fontSize = ''
    expect(label.height).toBe(48)
    expect(input.right).toBe(label.left + width)
  },
)
