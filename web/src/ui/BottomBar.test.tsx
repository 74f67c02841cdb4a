import './tokens.css'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { BottomBar } from './BottomBar.tsx'
import { ProfileIcon, SettingsIcon, TeamIcon } from './bar-icons.tsx'

const bar = (onSelect: () => void) => (
  <BottomBar
    items={[
      { label: 'Team', icon: TeamIcon, current: false, onSelect },
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
