/// <reference types="@vitest/browser-playwright" />
import './tokens.css'
import { useState } from 'react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { emulateMedia } from './testing/emulated-media.ts'
import { WheelPicker } from './WheelPicker.tsx'

const onChange = vi.fn<(value: number) => void>()
const reported = () => onChange.mock.calls.map(([value]) => value)

beforeEach(() => {
  onChange.mockClear()
})

function Wheel({ start, max = 23, step = 1 }: { start: number; max?: number; step?: number }) {
  const [value, setValue] = useState(start)
  const report = (chosen: number) => {
    onChange(chosen)
    setValue(chosen)
  }
  return <WheelPicker label="Turns" value={value} min={0} max={max} step={step} onChange={report} />
}

const wheel = () => page.getByRole('listbox', { name: 'Turns' })
const row = (figure: number) => wheel().getByText(String(figure), { exact: true })
const centre = ({ top, bottom }: DOMRect) => (top + bottom) / 2

/** The number in the middle of the wheel. Null while it scrolls. */
function shownFigure(): string | null {
  const middle = centre(wheel().element().getBoundingClientRect())
  const rows = [...wheel().element().children]
  return rows.find((figure) => Math.abs(centre(figure.getBoundingClientRect()) - middle) < 0.6)?.textContent ?? null
}

/** Waits until the wheel shows the number and reports it to screen readers. */
async function expectAt(figure: number) {
  await expect.poll(shownFigure).toBe(String(figure))
  await expect.element(wheel().getByRole('option', { selected: true })).toHaveTextContent(String(figure))
  expect(wheel().element().getAttribute('aria-activedescendant')).toBe(row(figure).element().id)
}

/** A point `below` px from the middle of the wheel, in coordinates of the outer page, for input events of the browser. */
function pointOnWheel(below = 0) {
  const frame = window.frameElement?.getBoundingClientRect() ?? new DOMRect(0, 0, innerWidth, innerHeight)
  const scale = frame.width / innerWidth
  const { left, right, top, bottom } = wheel().element().getBoundingClientRect()
  return { x: frame.x + ((left + right) / 2) * scale, y: frame.y + ((top + bottom) / 2 + below) * scale }
}

const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...at: { x: number; y: number }[]) =>
  cdp().send('Input.dispatchTouchEvent', { type, touchPoints: at })

/** Moves a finger by `below` px and holds it before it is lifted. */
async function pan(below: number) {
  const steps = Array.from({ length: 30 }, (_, step) => (below * Math.min(step + 1, 20)) / 20)
  await touch('touchStart', pointOnWheel())
  for (const step of steps) await touch('touchMove', pointOnWheel(step))
  await touch('touchEnd')
}

async function drag(below: number) {
  const mouse = (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', to: number) =>
    cdp().send('Input.dispatchMouseEvent', { type, ...pointOnWheel(to), button: 'left', buttons: 1, clickCount: 1 })
  await mouse('mousePressed', 0)
  for (const part of [0.25, 0.5, 0.75, 1]) await mouse('mouseMoved', below * part)
  await mouse('mouseReleased', below)
}

/** As Safari 26.0: no such property, and no such event. */
function withoutScrollEnd() {
  const owner = 'onscrollend' in Window.prototype ? Window.prototype : window
  const property = Object.getOwnPropertyDescriptor(owner, 'onscrollend') as PropertyDescriptor
  Reflect.deleteProperty(owner, 'onscrollend')
  const stop = (event: Event) => event.stopImmediatePropagation()
  window.addEventListener('scrollend', stop, true)
  onTestFinished(() => {
    Object.defineProperty(owner, 'onscrollend', property)
    window.removeEventListener('scrollend', stop, true)
  })
}

/** Waits for the effects of a frame: scroll, scrollend and resize events. */
const frames = async (count: number) => {
  for (let frame = 0; frame < count; frame++) await new Promise(requestAnimationFrame)
}

test('shows its value among its options and reports nothing', async () => {
  await render(<Wheel start={30} max={55} step={5} />)
  await expectAt(30)
  expect(wheel().getByRole('option').elements()).toHaveLength(12)
  await expect.element(page.getByText('Turns')).toBeVisible()
  expect(reported()).toEqual([])
})

test.each([
  ['{ArrowDown}', 35],
  ['{ArrowUp}', 25],
  ['{ArrowUp}{ArrowUp}{ArrowUp}', 15],
  ['{PageDown}', 55],
  ['{PageUp}', 5],
  ['{PageUp}{PageUp}', 0],
  ['{End}{ArrowDown}', 55],
  ['{Home}{ArrowUp}', 0],
])('%s changes 30 to %i', async (keys, figure) => {
  await render(<Wheel start={30} max={55} step={5} />)
  await userEvent.tab()
  await userEvent.keyboard(keys)
  await expectAt(figure)
  expect(reported().at(-1)).toBe(figure)
  expect(reported().length).toBe(new Set(reported()).size)
})

test('a key at an end reports nothing', async () => {
  await render(<Wheel start={0} />)
  await userEvent.tab()
  await userEvent.keyboard('{ArrowUp}{PageUp}{Home}')
  await expectAt(0)
  expect(reported()).toEqual([])
})

test.each([
  ['18', 23, 1, 18],
  ['3', 55, 5, 30],
  ['35', 55, 5, 35],
  ['99', 23, 1, 9],
  ['07', 23, 1, 7],
])('typing %s on a wheel up to %i in steps of %i chooses %i', async (digits, max, step, figure) => {
  await render(<Wheel start={10} max={max} step={step} />)
  await userEvent.tab()
  await userEvent.keyboard(digits)
  await expectAt(figure)
})

test('Space scrolls neither the wheel nor the page', async () => {
  await render(<Wheel start={4} />)
  await userEvent.tab()
  await userEvent.keyboard(' ')
  await frames(3)
  expect(shownFigure()).toBe('4')
})

test('a notch of the mouse wheel moves one row and does not scroll the page, also at an end', async () => {
  const screen = await render(<Wheel start={21} />)
  screen.container.style.height = '3000px'
  await userEvent.wheel(wheel(), { delta: { y: 120 } })
  await expectAt(22)
  await userEvent.wheel(wheel(), { delta: { y: 120 }, times: 3 })
  await expectAt(23)
  await userEvent.wheel(wheel(), { delta: { y: -100 } })
  await expectAt(22)
  expect(reported()).toEqual([22, 23, 22])
  expect(scrollY).toBe(0)
})

test('small steps of a touch pad add up to rows and do not scroll the page', async () => {
  await render(<Wheel start={4} />)
  await expectAt(4)
  for (const _ of Array(9)) {
    const event = new WheelEvent('wheel', { deltaY: 10, cancelable: true, bubbles: true })
    wheel().element().dispatchEvent(event)
    expect(event.defaultPrevented).toBe(true)
  }
  await expectAt(6)
  expect(reported()).toEqual([5, 6])
})

test('a mouse wheel that zooms, or that scrolls the page, is ignored', async () => {
  await render(<Wheel start={4} />)
  await expectAt(4)
  for (const init of [{ ctrlKey: true, cancelable: true }, { cancelable: false }]) {
    const event = new WheelEvent('wheel', { deltaY: 120, bubbles: true, ...init })
    wheel().element().dispatchEvent(event)
    expect(event.defaultPrevented).toBe(false)
  }
  expect(reported()).toEqual([])
})

test('a click chooses a neighbour, and on the chosen row reports nothing', async () => {
  await render(<Wheel start={4} />)
  await expectAt(4)
  await row(5).click()
  await expectAt(5)
  await row(5).click()
  await row(4).click()
  await expectAt(4)
  expect(reported()).toEqual([5, 4])
})

test('a drag by mouse chooses a row, and its end chooses no other one', async () => {
  await render(<Wheel start={4} />)
  await expectAt(4)
  await drag(-80)
  await expectAt(6)
  await drag(40)
  await expectAt(5)
  expect(reported()).toEqual([5, 6, 5])
})

test('a touch reports each passed row once and ends on a row', async () => {
  await render(<Wheel start={4} />)
  await expectAt(4)
  await pan(-130)
  await expect.poll(() => shownFigure() !== null && reported().length).toBeGreaterThanOrEqual(3)
  const last = reported().at(-1) ?? 0
  await expectAt(last)
  expect(reported()).toEqual(Array.from({ length: last - 4 }, (_, index) => 5 + index))
})

test('a key after a touch reports only its own row', async () => {
  await render(<Wheel start={12} />)
  await expectAt(12)
  await pan(-60)
  await expect.poll(() => shownFigure() !== null && reported().length).toBeGreaterThan(0)
  await expectAt(reported().at(-1) ?? 0)
  onChange.mockClear()
  await userEvent.tab()
  await userEvent.keyboard('{Home}')
  await expectAt(0)
  expect(reported()).toEqual([0])
})

test('a value from outside is shown and not reported', async () => {
  const screen = await render(<WheelPicker label="Turns" value={4} min={0} max={23} onChange={onChange} />)
  await expectAt(4)
  await screen.rerender(<WheelPicker label="Turns" value={19} min={0} max={23} onChange={onChange} />)
  await expectAt(19)
  expect(reported()).toEqual([])
})

test('a value that the parent rejects is reverted', async () => {
  await render(<WheelPicker label="Turns" value={4} min={0} max={23} onChange={onChange} />)
  await expectAt(4)
  await userEvent.tab()
  await userEvent.keyboard('{ArrowDown}')
  expect(reported()).toEqual([5])
  await expectAt(4)
})

test('a value between two rows is shown as the nearest and not reported until the wheel moves', async () => {
  await render(<Wheel start={7} max={55} step={5} />)
  await expectAt(5)
  expect(reported()).toEqual([])
  await userEvent.tab()
  await userEvent.keyboard('{ArrowDown}')
  await expectAt(10)
  expect(reported()).toEqual([10])
})

test('a click on the nearest row reports it when the value is between two rows', async () => {
  await render(<Wheel start={7} max={55} step={5} />)
  await expectAt(5)
  await row(5).click()
  expect(reported()).toEqual([5])
})

test('keeps its row when it is hidden and shown again, also after a touch', async () => {
  const screen = await render(<Wheel start={12} />)
  await expectAt(12)
  await pan(-60)
  await expect.poll(() => shownFigure() !== null && reported().length).toBeGreaterThan(0)
  const before = reported()
  const last = before.at(-1) ?? 0
  await expectAt(last)
  const rows = wheel().element()
  screen.container.style.display = 'none'
  await frames(2)
  screen.container.style.display = ''
  // Some browsers lose the scroll position.
  rows.scrollTo({ top: 0, behavior: 'instant' })
  await frames(3)
  expect(shownFigure()).toBe(String(last))
  expect(reported()).toEqual(before)
})

test('shows its value when it becomes visible after its first render', async () => {
  const screen = await render(
    <div style={{ display: 'none' }}>
      <Wheel start={12} />
    </div>,
  )
  await frames(2)
  for (const hidden of screen.container.querySelectorAll('div')) hidden.style.display = ''
  await expectAt(12)
  expect(reported()).toEqual([])
})

test('scales with the text size, keeps its row and reports nothing', async () => {
  await render(<Wheel start={17} />)
  await expectAt(17)
  onTestFinished(() => {
    document.documentElement.style.fontSize = ''
  })
  document.documentElement.style.fontSize = '21.3px'
  await frames(3)
  expect(wheel().element().clientHeight).toBe(181)
  expect(shownFigure()).toBe('17')
  document.documentElement.style.fontSize = ''
  await frames(3)
  expect(shownFigure()).toBe('17')
  expect(reported()).toEqual([])
})

test.each([
  ['a browser', () => undefined],
  ['a browser without scrollend', withoutScrollEnd],
])('a scroll by script changes nothing and is reverted in %s', async (_, prepare) => {
  prepare()
  await render(<Wheel start={4} />)
  await expectAt(4)
  wheel().element().scrollTo({ top: 400, behavior: 'instant' })
  expect(shownFigure()).toBe('10')
  await expectAt(4)
  expect(reported()).toEqual([])
})

test('a key scrolls smoothly', async () => {
  await render(<Wheel start={4} />)
  await expectAt(4)
  wheel()
    .element()
    .dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }))
  expect(shownFigure()).toBe('4')
  await expectAt(23)
})

test('does not scroll smoothly with reduced motion', async () => {
  await emulateMedia({ 'prefers-reduced-motion': 'reduce' })
  await render(<Wheel start={4} />)
  await expectAt(4)
  wheel()
    .element()
    .dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }))
  expect(shownFigure()).toBe('23')
})

test('is 136 px high, with the chosen number in a band of 44 px that does not touch its neighbours', async () => {
  await render(<Wheel start={4} />)
  await expectAt(4)
  const { top, height } = wheel().element().getBoundingClientRect()
  expect(height).toBe(136)
  const band = getComputedStyle(wheel().element().parentElement as Element, '::after')
  expect([band.top, band.height]).toEqual(['46px', '44px'])
  const middles = [3, 4, 5].map((figure) => {
    const text = document.createRange()
    text.selectNodeContents(row(figure).element())
    return Math.round(centre(text.getBoundingClientRect()) - top)
  })
  expect(middles).toEqual([27, 68, 111])
})
