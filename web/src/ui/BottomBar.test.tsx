import './tokens.css'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { BottomBar } from './BottomBar.tsx'
import { ProfileIcon, SettingsIcon, TeamIcon } from './icons.tsx'

const bar = (onSelect: () => void, badge?: number) => (
  <BottomBar
    items={[
      { label: 'Team', icon: TeamIcon, current: false, onSelect, ...(badge !== undefined && { badge }) },
      { label: 'Profile', icon: ProfileIcon, current: true, onSelect: () => {} },
      { label: 'Settings', icon: SettingsIcon, current: false, onSelect: () => {} },
    ]}
  />
)

test('is a navigation of three buttons and marks the current one', async () => {
  await render(bar(() => {}))
  const buttons = page.getByRole('navigation', { name: 'Main' }).getByRole('button')
  expect(buttons.elements().map((button) => button.ariaLabel)).toEqual(['Team', 'Profile', 'Settings'])
  expect(buttons.elements().map((button) => button.getAttribute('aria-current'))).toEqual([null, 'page', null])
})

test('a click and the keyboard select an item', async () => {
  const onSelect = vi.fn()
  await render(bar(onSelect))
  await page.getByRole('button', { name: 'Team' }).click()
  await userEvent.keyboard('{Enter}')
  expect(onSelect).toHaveBeenCalledTimes(2)
})

test('is 72 px high at the bottom of the page, with targets of at least 44 px', async () => {
  await page.viewport(320, 480)
  await render(bar(() => {}))
  expect(page.getByRole('navigation').element().getBoundingClientRect()).toMatchObject({
    y: 408,
    height: 72,
    width: 320,
  })
  for (const button of page.getByRole('button').elements()) {
    const { width, height } = button.getBoundingClientRect()
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
  }
})

test.each([
  [0, 'Team', undefined],
  [1, 'Team, 1 request', '1'],
  [99, 'Team, 99 requests', '99'],
  [100, 'Team, 100 requests', '99+'],
])('a count of %i is %s', async (count, name, shown) => {
  const { container } = await render(bar(() => {}, count))
  await expect.element(page.getByRole('button').first()).toHaveAccessibleName(name)
  expect(container.querySelector('.bar-badge')?.textContent).toBe(shown)
})

test('the badge is within the bar and beside the middle of the icon, with text of 200 %', async () => {
  await page.viewport(390, 844)
  document.documentElement.style.fontSize = '200%'
  const { container } = await render(bar(() => {}, 100))
  const badge = container.querySelector('.bar-badge')?.getBoundingClientRect()
  const button = page.getByRole('button').first().element().getBoundingClientRect()
  document.documentElement.style.fontSize = ''
  expect(badge?.top).toBeGreaterThan(button.top)
  expect(badge?.left).toBeGreaterThan(button.left + button.width / 2)
  expect(badge?.right).toBeLessThan(button.right)
})

test('in deeb mode the badge is a dot without a number', async () => {
  document.documentElement.dataset.focus = 'on'
  const { container } = await render(bar(() => {}, 3))
  const badge = container.querySelector<HTMLElement>('.bar-badge')
  const { width, height } = badge?.getBoundingClientRect() ?? {}
  const { fontSize, animationName } = getComputedStyle(badge ?? document.body)
  delete document.documentElement.dataset.focus
  expect([width, height, fontSize, animationName]).toEqual([8, 8, '0px', 'none'])
})
