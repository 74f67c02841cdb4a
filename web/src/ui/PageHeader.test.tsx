import './tokens.css'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { PageHeader, SubPageHeader } from './PageHeader.tsx'
import { Switch } from './Switch.tsx'

test('the logo links to Home and is vertically aligned with the switch', async () => {
  await page.viewport(390, 844)
  const onHome = vi.fn()
  await render(
    <PageHeader plugs="out" onHome={onHome}>
      <Switch label="deeb" checked={false} onChange={() => {}} />
    </PageHeader>,
  )
  const home = page.getByRole('button', { name: 'deeb home' })
  await home.click()
  expect(onHome).toHaveBeenCalledOnce()
  const [logo, plug] = [home, page.getByRole('switch')].map((part) => part.element().getBoundingClientRect())
  expect(logo).toMatchObject({ x: 24, y: 14, height: 44 })
  expect(plug).toMatchObject({ right: 366, y: 14, height: 44 })
})

test('a sub-page has a back button and its title as heading', async () => {
  const onBack = vi.fn()
  await render(<SubPageHeader title="Goal Settings" backLabel="Back to Profile" onBack={onBack} />)
  await page.getByRole('button', { name: 'Back to Profile' }).click()
  expect(onBack).toHaveBeenCalledOnce()
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Goal Settings')
})

test('a switch without room beside the title of a sub-page is below it on the right', async () => {
  await page.viewport(390, 844)
  const screen = await render(
    <SubPageHeader title="Goal Settings, in a long title" backLabel="Back to Profile" onBack={() => {}}>
      <Switch label="deeb" checked={false} onChange={() => {}} />
    </SubPageHeader>,
  )
  const [title, plug] = [screen.getByRole('heading'), screen.getByRole('switch')].map((part) =>
    part.element().getBoundingClientRect(),
  )
  expect(plug?.top).toBeGreaterThanOrEqual(title?.bottom ?? Number.NaN)
  expect(plug?.right).toBe(366)
})
