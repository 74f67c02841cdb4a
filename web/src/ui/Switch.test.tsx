import './tokens.css'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Switch } from './Switch.tsx'

function Deeb() {
  const [on, setOn] = useState(false)
  return <Switch label="deeb" checked={on} onChange={setOn} />
}

const deeb = () => page.getByRole('switch', { name: 'deeb' })

test('a click turns it on and off', async () => {
  await render(<Deeb />)
  await deeb().click()
  await expect.element(deeb()).toBeChecked()
  await deeb().click()
  await expect.element(deeb()).not.toBeChecked()
})

test('Space and Enter turn it on and off', async () => {
  await render(<Deeb />)
  await userEvent.tab()
  await userEvent.keyboard(' ')
  await expect.element(deeb()).toBeChecked()
  await userEvent.keyboard('{Enter}')
  await expect.element(deeb()).not.toBeChecked()
})

test('a disabled switch ignores presses and keeps its look and the focus', async () => {
  const onChange = vi.fn()
  const screen = await render(<Switch label="deeb" checked={false} onChange={onChange} />)
  await userEvent.tab()
  const look = knobAndTrack()
  await screen.rerender(<Switch label="deeb" checked={false} onChange={onChange} disabled />)
  await userEvent.keyboard(' ')
  expect(onChange).not.toHaveBeenCalled()
  expect(knobAndTrack()).toEqual(look)
  await expect.element(deeb()).toHaveFocus()
})

test('is 60 by 34 px, 44 px high to touch, and its knob moves by 26 px', async () => {
  await render(<Deeb />)
  const before = box('.switch-knob')
  expect(box('.switch')).toMatchObject({ width: 60, height: 44 })
  expect(box('.switch-track')).toMatchObject({ width: 60, height: 34 })
  expect(before).toMatchObject({ width: 22, x: box('.switch-track').x + 6 })
  await deeb().click()
  await expect.poll(() => box('.switch-knob').x).toBe(before.x + 26)
})

function box(selector: string): DOMRect {
  const element = document.querySelector(selector)
  if (!element) throw new Error(`no ${selector}`)
  return element.getBoundingClientRect()
}

function knobAndTrack() {
  return ['.switch-knob', '.switch-track'].map((selector) => {
    const element = document.querySelector(selector)
    if (!element) throw new Error(`no ${selector}`)
    const { backgroundColor, borderColor, opacity } = getComputedStyle(element)
    return { backgroundColor, borderColor, opacity }
  })
}
