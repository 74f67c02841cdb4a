import '../ui/tokens.css'
import './profile.css'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { WeekLine } from './WeekLine.tsx'

const THIS_WEEK = '2026-10-26'
const point = (name: string) => page.getByRole('button', { name, exact: true })

async function renderLine(minutes: number[], shown = THIS_WEEK) {
  await page.viewport(390, 844)
  const onSelect = vi.fn()
  const line = <WeekLine minutes={minutes} thisWeek={THIS_WEEK} shown={shown} onSelect={onSelect} />
  const screen = await render(<div className="column">{line}</div>)
  return { screen, onSelect }
}

test('lists every week with its time, and names the best one', async () => {
  await renderLine([90, 1870, 0, 45], '2026-10-12')
  await expect.element(page.getByRole('heading', { name: '4 weeks' })).toBeVisible()
  await expect.element(page.getByText('Best week 31h 10m')).toBeVisible()
  const names = page.getByRole('list', { name: '4 weeks' }).getByRole('button')
  expect(names.elements().map((element) => element.getAttribute('aria-label'))).toEqual([
    '5 – 11 Oct 1h 30m',
    '12 – 18 Oct 31h 10m, best week',
    'Last week 0h 0m',
    'This week 0h 45m',
  ])
  expect(document.querySelectorAll('[aria-current]')).toHaveLength(1)
  await expect.element(point('12 – 18 Oct 31h 10m, best week')).toHaveAttribute('aria-current', 'true')
})

test.each([
  ['one week', [90]],
  ['two weeks', [60, 120]],
  ['weeks without time', [0, 0, 0]],
])('shows nothing for %s', async (_, minutes) => {
  const { screen } = await renderLine(minutes)
  expect(screen.container.querySelector('.week-line')).toBeNull()
})

test('twelve weeks reach both edges of the column, higher for more time', async () => {
  await renderLine(Array.from({ length: 12 }, (_, n) => n * 60))
  const dots = [...document.querySelectorAll('.week-line li circle:first-child')].map((dot) => {
    const { x, y, width, height } = dot.getBoundingClientRect()
    return { x: x + width / 2, y: y + height / 2 }
  })
  expect([dots[0]?.x, dots[11]?.x].map((x) => Math.round(x ?? 0))).toEqual([27, 363])
  expect(dots.map(({ y }) => y)).toEqual(dots.map(({ y }) => y).sort((a, b) => b - a))
})

test('fewer weeks end at the right', async () => {
  await renderLine([60, 120, 180])
  const { x, width } = point('This week 3h 0m, best week').element().getBoundingClientRect()
  expect(Math.round(x + width / 2)).toBe(363)
})

test('is one tab stop with arrow keys, shows the week of the focused point, and a press selects it', async () => {
  const { onSelect } = await renderLine([60, 120, 180])
  await userEvent.keyboard('{Tab}')
  await expect.element(point('This week 3h 0m, best week')).toHaveFocus()
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}')
  await expect.element(point('12 – 18 Oct 1h 0m')).toHaveFocus()
  await expect.element(page.getByRole('heading')).toHaveTextContent('12 – 18 Oct 1h 0m')
  await userEvent.keyboard('{Enter}')
  expect(onSelect).toHaveBeenCalledExactlyOnceWith('2026-10-12')
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('heading')).toHaveTextContent('3 weeks')
})

test('a thin line shows the longest undisturbed session a day, with a gap where nothing is known', async () => {
  await page.viewport(390, 844)
  const line = (stretchMinutes?: (number | null)[]) => (
    <WeekLine
      minutes={[60, 120, 180, 90]}
      stretchMinutes={stretchMinutes}
      thisWeek={THIS_WEEK}
      shown={THIS_WEEK}
      onSelect={() => undefined}
    />
  )
  const { rerender, container } = await render(line())
  expect(container.querySelector('.week-line-stretch')).toBeNull()
  // Of twelve weeks, the line has the last four.
  await rerender(line([...Array(8).fill(null), 25, null, 40, 65]))
  expect(container.querySelectorAll('.week-line-stretch')).toHaveLength(3)
  expect(container.querySelectorAll('.week-line-stretch line')).toHaveLength(1)
  await expect.element(page.getByText('Thin: longest undisturbed session a day, 1h 5m')).toBeVisible()
  await point('5 – 11 Oct 1h 0m, longest undisturbed session a day 0h 25m').hover()
  await expect.element(page.getByText('Thin: longest undisturbed session a day, 0h 25m')).toBeVisible()
  await point('12 – 18 Oct 2h 0m').hover()
  await expect.element(page.getByText('Thin: longest undisturbed session a day, –')).toBeVisible()
})
