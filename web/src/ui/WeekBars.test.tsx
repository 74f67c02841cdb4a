import './tokens.css'
import './bars.css'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { emulateMedia } from './testing/emulated-media.ts'
import { WeekBars } from './WeekBars.tsx'

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const NONE = [0, 0, 0, 0, 0, 0, 0]
const GOALS = [360, 360, 360, 360, 360, 60, 0]

/** A week whose bars are labelled `Monday 310 of 360`, on a Friday. */
function week(values: readonly number[], goals: readonly number[]) {
  return DAYS.map((day, index) => {
    const [value, goal] = [values[index] ?? 0, goals[index] ?? 0]
    return { letter: day.charAt(0), label: `${day} ${value} of ${goal}`, value, goal, today: day === 'Friday' }
  })
}

const bar = (day: string) => page.getByRole('button', { name: day })
const label = (day: string) => page.getByText(`${day} `)

/** Where the parts of a day's bar begin and end, in pixels above the baseline. Null for parts that are not drawn. */
function drawn(day: string) {
  const button = bar(day).element()
  const area = box(button, 'svg')
  const span = (part: string) => {
    const { top, bottom, height } = box(button, part)
    return height > 0 ? [rounded(area.bottom - bottom), rounded(area.bottom - top)] : null
  }
  return {
    track: span('.week-track'),
    ink: span('.week-reached'),
    green: span('.week-excess'),
    mark: span('.week-mark'),
  }
}

function box(within: Element, selector: string): DOMRect {
  const element = within.querySelector(selector)
  if (!element) throw new Error(`no ${selector}`)
  return element.getBoundingClientRect()
}

const rounded = (pixels: number) => Math.round(pixels * 100) / 100

/** Renders without animation, so that nothing grows while it is measured. */
async function renderStill(values: readonly number[], goals: readonly number[]) {
  await emulateMedia({ 'prefers-reduced-motion': 'reduce' })
  return render(
    <div className="column">
      <WeekBars label="This week" bars={week(values, goals)} />
    </div>,
  )
}

test('the highest day fills the area, and all bars have the same scale', async () => {
  await renderStill([310, 444, 265, 395, 222, 0, 0], GOALS)
  expect(drawn('Monday')).toEqual({ track: [0, 120], ink: [0, 103], green: null, mark: [119, 121] })
  expect(drawn('Tuesday')).toEqual({ track: [0, 120], ink: [0, 120], green: [123, 148], mark: [119, 121] })
  expect(drawn('Saturday')).toEqual({ track: [0, 20], ink: null, green: null, mark: [19, 21] })
  expect(drawn('Sunday')).toEqual({ track: null, ink: null, green: null, mark: [-1, 1] })
})

test('the highest goal fills the area when no day exceeds it', async () => {
  await renderStill([90, 0, 0, 0, 0, 0, 0], GOALS)
  expect(drawn('Monday')).toEqual({ track: [0, 148], ink: [0, 37], green: null, mark: [147, 149] })
})

test('another value is drawn pale behind the bar, and may exceed the goal', async () => {
  await emulateMedia({ 'prefers-reduced-motion': 'reduce' })
  const bars = week([310, 0, 0, 0, 0, 0, 0], GOALS).map((bar, index) => ({ ...bar, pale: [0, 444, 1][index] ?? 0 }))
  await render(<WeekBars label="This week" bars={bars} />)
  const pale = (day: string) => bar(day).element().querySelector('.week-pale')?.getBoundingClientRect().height
  expect(drawn('Tuesday')).toEqual({ track: [0, 120], ink: null, green: null, mark: [119, 121] })
  expect([pale('Monday'), pale('Tuesday'), pale('Wednesday')]).toEqual([undefined, 148, 3])
})

test('a week without goals and focus time is a baseline', async () => {
  await renderStill(NONE, NONE)
  for (const day of DAYS) expect(drawn(day)).toEqual({ track: null, ink: null, green: null, mark: [-1, 1] })
})

test('one minute above the highest goal shows 3 px of green within the area', async () => {
  await renderStill([361, 0, 0, 0, 0, 0, 0], GOALS)
  expect(drawn('Monday')).toEqual({ track: [0, 142], ink: [0, 142], green: [145, 148], mark: [141, 143] })
})

test('one minute of six hours is visible', async () => {
  await renderStill([1, 0, 0, 0, 0, 0, 0], GOALS)
  expect(drawn('Monday').ink).toEqual([0, 3])
})

test('a day without a goal is green from its mark', async () => {
  await renderStill([0, 0, 0, 0, 0, 0, 180], GOALS)
  expect(drawn('Sunday')).toEqual({ track: null, ink: null, green: [3, 74], mark: [-1, 1] })
})

test('columns of 40 px with bars of 32 px reach both edges', async () => {
  await renderStill(NONE, GOALS)
  const boxes = DAYS.map((day) => bar(day).element().getBoundingClientRect())
  expect(boxes.map((column) => column.width)).toEqual([40, 40, 40, 40, 40, 40, 40])
  expect([boxes[0]?.left, boxes[6]?.right]).toEqual([24, 366])
  expect(box(bar('Monday').element(), '.week-track')).toMatchObject({ left: 28, width: 32 })
  expect(box(bar('Monday').element(), '.week-mark')).toMatchObject({ left: 24, width: 40 })
})

test('is a list of seven named bars, with today marked by more than its colour', async () => {
  await renderStill([310, 0, 0, 0, 0, 0, 0], GOALS)
  const list = page.getByRole('list', { name: 'This week' })
  expect(list.getByRole('listitem').elements()).toHaveLength(7)
  await expect.element(list.getByRole('button', { name: 'Monday 310 of 360', exact: true })).toBeVisible()
  expect(
    list
      .getByRole('button')
      .elements()
      .map((button) => button.ariaCurrent),
  ).toEqual([...[null, null, null, null], 'date', ...[null, null]])
})

test('Tab enters at today and leaves, and arrow keys move between the bars and stop at the ends', async () => {
  const screen = await renderStill(NONE, GOALS)
  await screen.rerender(
    <>
      <WeekBars label="This week" bars={week(NONE, GOALS)} />
      <button type="button">Adjust</button>
    </>,
  )
  const walk: [string, string][] = [
    ['{Tab}', 'Friday'],
    ['{ArrowRight}', 'Saturday'],
    ['{End}', 'Sunday'],
    ['{ArrowRight}', 'Sunday'],
    ['{Home}', 'Monday'],
    ['{ArrowLeft}', 'Monday'],
    ['{ArrowRight}', 'Tuesday'],
    ['{Tab}', 'Adjust'],
    ['{Shift>}{Tab}{/Shift}', 'Tuesday'],
  ]
  for (const [keys, reached] of walk) {
    await userEvent.keyboard(keys)
    await expect.element(bar(reached)).toHaveFocus()
  }
})

test('only the focused bar shows its label', async () => {
  await renderStill([310, 0, 0, 0, 0, 0, 0], GOALS)
  // Not by mouse or Tab: their position depends on the previous test.
  await userEvent.unhover(bar('Friday'))
  bar('Friday').element().focus()
  await expect.element(label('Friday')).toBeVisible()
  await userEvent.keyboard('{Home}')
  await expect.element(label('Monday')).toBeVisible()
  await expect.element(label('Friday')).not.toBeVisible()
})

test('a click shows the label until another bar is hovered', async () => {
  await renderStill(NONE, GOALS)
  await bar('Tuesday').click()
  await userEvent.unhover(bar('Tuesday'))
  await expect.element(label('Tuesday')).toBeVisible()
  await expect.element(bar('Tuesday')).toHaveFocus()
  await userEvent.hover(bar('Sunday'))
  await expect.element(label('Sunday')).toBeVisible()
  await expect.element(label('Tuesday')).not.toBeVisible()
})

test.each([390, 320])('every label is completely visible above its bar in a window of %i px', async (width) => {
  await page.viewport(width, 844)
  await renderStill([0, 444, 0, 0, 0, 0, 0], GOALS)
  await document.fonts.load('550 13px "Hanken Grotesk Variable"')
  const chart = page.getByRole('list').element().getBoundingClientRect()
  expect([chart.left, chart.right]).toEqual([24, width - 24])
  for (const day of DAYS) {
    const column = bar(day).element().getBoundingClientRect()
    const text = label(day).element().getBoundingClientRect()
    expect(text.left).toBeGreaterThanOrEqual(24)
    expect(text.right).toBeLessThanOrEqual(width - 24)
    expect(text.left).toBeLessThan(column.left + 20)
    expect(text.right).toBeGreaterThan(column.right - 20)
    expect([text.top, text.bottom]).toEqual([chart.top, column.top - 6])
  }
  const [middle, over] = [bar('Thursday'), label('Thursday')].map((part) => part.element().getBoundingClientRect())
  expect((over?.left ?? 0) + (over?.right ?? 0)).toBeCloseTo((middle?.left ?? 0) + (middle?.right ?? 0), 0)
})

test('a line box beside a bar, as Safari makes for the empty marker, has no height', async () => {
  await render(<WeekBars label="Your week" bars={week(NONE, GOALS)} />)
  const day = document.querySelector('.week-day') as HTMLElement
  const height = day.offsetHeight
  day.prepend('.')
  expect(day.offsetHeight).toBe(height)
})

test('columns have gaps in a window of 320 px', async () => {
  await page.viewport(320, 844)
  await renderStill(NONE, GOALS)
  const boxes = DAYS.map((day) => bar(day).element().getBoundingClientRect())
  for (const [index, column] of boxes.slice(1).entries()) {
    expect(column.left - (boxes[index]?.right ?? 0)).toBeCloseTo(4, 1)
  }
})

test('bars grow one after the other on the first paint, and a change is animated', async () => {
  const screen = await render(<WeekBars label="This week" bars={week([310, 444, 0, 0, 0, 0, 0], GOALS)} />)
  const moving = (day: string, part: string) => {
    const animations = bar(day).element().querySelector(part)?.getAnimations() ?? []
    return animations
      .map((animation) => animation.effect?.getTiming())
      .map((timing) => [timing?.delay, timing?.duration])
  }
  expect(moving('Monday', '.week-reached')).toEqual([[0, 200]])
  expect(moving('Tuesday', '.week-reached')).toEqual([[20, 200]])
  for (const animation of document.getAnimations()) animation.finish()
  expect(drawn('Tuesday').ink).toEqual([0, 120])
  await screen.rerender(<WeekBars label="This week" bars={week([200, 444, 0, 0, 0, 0, 0], GOALS)} />)
  expect(moving('Monday', '.week-reached')).toEqual([[0, 200]])
  expect(moving('Tuesday', '.week-reached')).toEqual([])
})

test('is not animated with reduced motion', async () => {
  await renderStill([310, 444, 0, 0, 0, 0, 0], GOALS)
  expect(document.getAnimations()).toEqual([])
})

test('has no style attribute, which the policy of static pages forbids', async () => {
  const screen = await renderStill([310, 444, 0, 0, 0, 0, 0], GOALS)
  expect(screen.container.innerHTML).not.toMatch(/ style=/)
})
