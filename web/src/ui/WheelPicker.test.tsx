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

const wheel = () => page.getByRole('spinbutton', { name: 'Turns' })
const row = (figure: number) => wheel().getByText(String(figure), { exact: true })
const centre = ({ top, bottom }: DOMRect) => (top + bottom) / 2

/** The figure that stands in the middle of the wheel, null while it is on its way. */
function standing(): string | null {
  const middle = centre(wheel().element().getBoundingClientRect())
  const rows = [...wheel().element().children]
  return rows.find((figure) => Math.abs(centre(figure.getBoundingClientRect()) - middle) < 0.6)?.textContent ?? null
}

/** The wheel comes to rest at the figure, and says so. */
async function expectAt(figure: number) {
  await expect.poll(standing).toBe(String(figure))
  await expect.element(wheel()).toHaveAttribute('aria-valuenow', String(figure))
}

/** A point on the wheel, so far from its middle, where the browser's own input events need it: in the outer page. */
function pointOnWheel(below = 0) {
  const frame = window.frameElement?.getBoundingClientRect() ?? new DOMRect(0, 0, innerWidth, innerHeight)
  const scale = frame.width / innerWidth
  const { left, right, top, bottom } = wheel().element().getBoundingClientRect()
  return { x: frame.x + ((left + right) / 2) * scale, y: frame.y + ((top + bottom) / 2 + below) * scale }
}

const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...at: { x: number; y: number }[]) =>
  cdp().send('Input.dispatchTouchEvent', { type, touchPoints: at })

/** A finger that goes so far down, and rests before it leaves. */
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

/** After everything that a frame brings: scrolling, its end, changed sizes. */
const frames = async (count: number) => {
  for (let frame = 0; frame < count; frame++) await new Promise(requestAnimationFrame)
}

test('it stands at its value, says it with its bounds and has reported nothing', async () => {
  await render(<Wheel start={30} max={55} step={5} />)
  await expectAt(30)
  for (const [name, value] of Object.entries({ valuemin: '0', valuemax: '55', valuetext: '30' })) {
    await expect.element(wheel()).toHaveAttribute(`aria-${name}`, value)
  }
  await expect.element(page.getByText('Turns')).toBeVisible()
  expect(reported()).toEqual([])
})

test.each([
  ['{ArrowUp}', 35],
  ['{ArrowDown}', 25],
  ['{ArrowDown}{ArrowDown}{ArrowDown}', 15],
  ['{PageUp}', 55],
  ['{PageDown}', 5],
  ['{PageDown}{PageDown}', 0],
  ['{End}{ArrowUp}', 55],
  ['{Home}{ArrowDown}', 0],
])('%s goes from 30 to %i', async (keys, figure) => {
  await render(<Wheel start={30} max={55} step={5} />)
  await userEvent.tab()
  await userEvent.keyboard(keys)
  await expectAt(figure)
  expect(reported().at(-1)).toBe(figure)
  expect(reported().length).toBe(new Set(reported()).size)
})

test('at an end a key reports nothing', async () => {
  await render(<Wheel start={0} />)
  await userEvent.tab()
  await userEvent.keyboard('{ArrowDown}{PageDown}{Home}')
  await expectAt(0)
  expect(reported()).toEqual([])
})

test.each([
  ['18', 23, 1, 18],
  ['3', 55, 5, 30],
  ['35', 55, 5, 35],
  ['99', 23, 1, 9],
  ['07', 23, 1, 7],
])('typing %s on a wheel to %i in steps of %i chooses %i', async (digits, max, step, figure) => {
  await render(<Wheel start={10} max={max} step={step} />)
  await userEvent.tab()
  await userEvent.keyboard(digits)
  await expectAt(figure)
})

test('a space moves neither wheel nor page', async () => {
  await render(<Wheel start={4} />)
  await userEvent.tab()
  await userEvent.keyboard(' ')
  await frames(3)
  expect(standing()).toBe('4')
})

test('a notch of the mouse wheel is a row, and the page stands still, at the end, too', async () => {
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

test('the small steps of a touch pad add up to rows, and the page does not take them', async () => {
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

test('a wheel that is turned to zoom, or while the page scrolls, does nothing', async () => {
  await render(<Wheel start={4} />)
  await expectAt(4)
  for (const init of [{ ctrlKey: true, cancelable: true }, { cancelable: false }]) {
    const event = new WheelEvent('wheel', { deltaY: 120, bubbles: true, ...init })
    wheel().element().dispatchEvent(event)
    expect(event.defaultPrevented).toBe(false)
  }
  expect(reported()).toEqual([])
})

test('a click on a neighbour chooses it, on the chosen row nothing', async () => {
  await render(<Wheel start={4} />)
  await expectAt(4)
  await row(5).click()
  await expectAt(5)
  await row(5).click()
  await row(4).click()
  await expectAt(4)
  expect(reported()).toEqual([5, 4])
})

test('the mouse drags it, and letting go chooses nothing else', async () => {
  await render(<Wheel start={4} />)
  await expectAt(4)
  await drag(-80)
  await expectAt(6)
  await drag(40)
  await expectAt(5)
  expect(reported()).toEqual([5, 6, 5])
})

test('a finger turns it: it reports each row it passes once, and rests on a row', async () => {
  await render(<Wheel start={4} />)
  await expectAt(4)
  await pan(-130)
  await expect.poll(() => standing() !== null && reported().length).toBeGreaterThanOrEqual(3)
  const last = reported().at(-1) ?? 0
  await expectAt(last)
  expect(reported()).toEqual(Array.from({ length: last - 4 }, (_, index) => 5 + index))
})

test('after a touch, a key reports only where it goes', async () => {
  await render(<Wheel start={12} />)
  await expectAt(12)
  await pan(-60)
  await expect.poll(() => standing() !== null && reported().length).toBeGreaterThan(0)
  await expectAt(reported().at(-1) ?? 0)
  onChange.mockClear()
  await userEvent.tab()
  await userEvent.keyboard('{Home}')
  await expectAt(0)
  expect(reported()).toEqual([0])
})

test('a value from outside is followed in silence', async () => {
  const screen = await render(<WheelPicker label="Turns" value={4} min={0} max={23} onChange={onChange} />)
  await expectAt(4)
  await screen.rerender(<WheelPicker label="Turns" value={19} min={0} max={23} onChange={onChange} />)
  await expectAt(19)
  expect(reported()).toEqual([])
})

test('a value that the parent does not take is given back', async () => {
  await render(<WheelPicker label="Turns" value={4} min={0} max={23} onChange={onChange} />)
  await expectAt(4)
  await userEvent.tab()
  await userEvent.keyboard('{ArrowUp}')
  expect(reported()).toEqual([5])
  await expectAt(4)
})

test('a value between two rows stands at the nearest, unreported, until the person moves', async () => {
  await render(<Wheel start={7} max={55} step={5} />)
  await expectAt(5)
  expect(reported()).toEqual([])
  await userEvent.tab()
  await userEvent.keyboard('{ArrowUp}')
  await expectAt(10)
  expect(reported()).toEqual([10])
})

test('a value between two rows becomes the row it stands at by a click on it', async () => {
  await render(<Wheel start={7} max={55} step={5} />)
  await expectAt(5)
  await row(5).click()
  expect(reported()).toEqual([5])
})

test('hidden and shown again it stands where it stood, also when it was turned by touch', async () => {
  const screen = await render(<Wheel start={12} />)
  await expectAt(12)
  await pan(-60)
  await expect.poll(() => standing() !== null && reported().length).toBeGreaterThan(0)
  const before = reported()
  const last = before.at(-1) ?? 0
  await expectAt(last)
  const rows = wheel().element()
  screen.container.style.display = 'none'
  await frames(2)
  screen.container.style.display = ''
  // Some browsers forget how far it was scrolled.
  rows.scrollTo({ top: 0, behavior: 'instant' })
  await frames(3)
  expect(standing()).toBe(String(last))
  expect(reported()).toEqual(before)
})

test('first shown later, it stands at its value', async () => {
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

test('with larger text it is larger, stands where it stood and reports nothing', async () => {
  await render(<Wheel start={17} />)
  await expectAt(17)
  onTestFinished(() => {
    document.documentElement.style.fontSize = ''
  })
  document.documentElement.style.fontSize = '21.3px'
  await frames(3)
  expect(wheel().element().clientHeight).toBe(181)
  expect(standing()).toBe('17')
  document.documentElement.style.fontSize = ''
  await frames(3)
  expect(standing()).toBe('17')
  expect(reported()).toEqual([])
})

test('what scrolls it without the person changes nothing, and it goes back', async () => {
  await render(<Wheel start={4} />)
  await expectAt(4)
  wheel().element().scrollTo({ top: 400, behavior: 'instant' })
  expect(standing()).toBe('10')
  await expectAt(4)
  expect(reported()).toEqual([])
})

test('it glides to where a key sends it', async () => {
  await render(<Wheel start={4} />)
  await expectAt(4)
  wheel()
    .element()
    .dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }))
  expect(standing()).toBe('4')
  await expectAt(23)
})

test('with reduced motion it stands at once', async () => {
  await emulateMedia({ 'prefers-reduced-motion': 'reduce' })
  await render(<Wheel start={4} />)
  await expectAt(4)
  wheel()
    .element()
    .dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }))
  expect(standing()).toBe('23')
})

test('it is 136 high, with the chosen figure in a band of 44 and its neighbours clear of its lines', async () => {
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
