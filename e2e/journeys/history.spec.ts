import { expect, type Page } from '@playwright/test'
import { becomeUser, expectClean, MARA, switchDeeb, test } from '../test.ts'

const bar = (page: Page, label: string) => page.getByRole('button', { name: label, exact: true })
const week = (page: Page, name: string) => page.getByRole('heading', { level: 2, name, exact: true })
const earlier = (page: Page) => page.getByRole('button', { name: 'Earlier week' })
const later = (page: Page) => page.getByRole('button', { name: 'Later week' })
const ring = (page: Page, title: string) => page.getByRole('figure').filter({ hasText: title }).getByRole('img')

async function toProfile(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Profile', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeFocused()
}

/** Drags one finger across the chart. */
async function swipe(page: Page, right: number, down = 0): Promise<void> {
  const box = await page.getByRole('list').first().boundingBox()
  if (!box) throw new Error('No chart.')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const cdp = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', part: number) =>
    cdp.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: x + right * part, y: y + down * part }],
    })
  await send('touchStart', 0)
  for (const part of [0.2, 0.4, 0.6, 0.8, 1]) await send('touchMove', part)
  await send('touchEnd', 1)
  await cdp.detach()
}

test.describe('on the Monday of the third week', () => {
  // Monday 12 October 2026, 08:00 in Berlin. The clocks go back on Sunday the 25th.
  test.use({ startsAt: '2026-10-12T06:00:00Z', timezoneId: 'Europe/Berlin' })

  /** Works in two weeks, until Monday, 26 October, 08:45, and opens Profile. */
  async function workTwoWeeks(page: Page, pass: (minutes: number) => Promise<void>): Promise<void> {
    const focus = async (minutes: number, thenMinutes: number) => {
      await switchDeeb(page, 'on')
      await pass(minutes)
      await switchDeeb(page, 'off')
      await pass(thenMinutes)
    }
    await focus(90, 8 * 24 * 60)
    await focus(45, 24 * 60)
    await focus(30, 5 * 24 * 60)
    await toProfile(page)
  }

  test('arrows, keys and the back button show earlier weeks, a reload keeps the week, and last week is pale until a day has a minute', {
    tag: '@heavy',
  }, async ({ page, server, pass }) => {
    await becomeUser(page, server, MARA)
    await test.step('a new user reads what will be there instead of empty rings', async () => {
      await toProfile(page)
      await expect(page.getByText('get deeb')).toBeVisible()
      await expect(page.getByText('Each day will show here with its goal, from your first session on.')).toBeVisible()
      await expect(page.getByRole('term')).toHaveText(['Your Average/Week', 'This Week Total'])
      await expect(page.getByRole('definition')).toHaveText(['after your first week', '0h 0m'])
      await page.getByRole('button', { name: 'Avg. User Week Me Compared to Avg. User' }).click()
      await expect(page.getByRole('definition').nth(2)).toHaveText('23h 20m')
      await expect(page.getByText(/^Examples, not measured/)).toBeVisible()
      await expect(page.getByRole('figure')).toHaveCount(0)
      await expect(earlier(page)).toHaveCount(0)
      await expectClean(page)
      await page.getByRole('button', { name: 'deeb home' }).click()
    })
    await workTwoWeeks(page, pass)

    await test.step('arrows, keys, the back button and a reload', async () => {
      const profile = `${server.url}/app/profile`
      await expect(week(page, 'This week')).toBeVisible()
      await expect(later(page)).toBeDisabled()

      await earlier(page).click()
      await expect(week(page, 'Last week')).toBeVisible()
      await expect(page).toHaveURL(`${profile}?week=2026-10-19`)
      await expect(bar(page, 'Tuesday 0h 45m of 1h 0m')).toBeVisible()
      // Not in the ring, which has the same text when it has counted up.
      await expect(page.getByRole('paragraph').filter({ hasText: /^1h 15m$/ })).toBeVisible()
      // 75 of 420 minutes are 17.9 %, of (90 + 75) / 2 = 82.5 minutes 90.4 %.
      await expect(page.getByText('18% of goal')).toBeVisible()
      await expect(page.getByText('90% of avg. week')).toBeVisible()
      await expect(ring(page, 'Your Average/Week')).toHaveAccessibleName('1 hour 23 minutes')
      await expect(ring(page, 'Week Total')).toHaveAccessibleName('1 hour 15 minutes')
      await expect(page.getByText('Me Compared to Avg. User')).toHaveCount(0)
      await expect(page.getByText('get deeb')).toHaveCount(0)

      await page.keyboard.press('ArrowLeft')
      await expect(week(page, '12 – 18 Oct')).toBeVisible()
      await expect(bar(page, 'Monday 1h 30m of 1h 0m')).toBeVisible()
      // The first week: no step leads further back.
      await expect(earlier(page)).toBeDisabled()
      await page.keyboard.press('ArrowLeft')
      await expect(page).toHaveURL(`${profile}?week=2026-10-12`)
      await page.reload()
      await expect(week(page, '12 – 18 Oct')).toBeVisible()
      await expect(bar(page, 'Monday 1h 30m of 1h 0m')).toBeVisible()

      // The bars and the line of weeks use the same keys.
      await bar(page, 'Monday 1h 30m of 1h 0m').focus()
      await page.keyboard.press('ArrowRight')
      await expect(bar(page, 'Tuesday 0h 0m of 1h 0m')).toBeFocused()
      await bar(page, '12 – 18 Oct 1h 30m, best week').focus()
      await page.keyboard.press('ArrowRight')
      await expect(bar(page, 'Last week 1h 15m')).toBeFocused()
      await expect(week(page, '12 – 18 Oct')).toBeVisible()
      await page.keyboard.press('Enter')
      await expect(week(page, 'Last week')).toBeVisible()

      await page.goBack()
      await expect(week(page, '12 – 18 Oct')).toBeVisible()
      await page.goBack()
      await expect(week(page, 'Last week')).toBeVisible()
      await page.goBack()
      await expect(page).toHaveURL(profile)
      await expect(page.getByText('get deeb')).toBeVisible()

      await earlier(page).click()
      await expect(week(page, 'Last week')).toBeVisible()
      await page.getByRole('button', { name: 'Profile', exact: true }).click()
      await expect(page).toHaveURL(profile)
      await expect(week(page, 'This week')).toBeVisible()
    })

    await test.step('a week in the URL that is unknown, in the future or malformed', async () => {
      for (const wrong of ['2026-10-05', '2026-11-02', '2026-10-20', '2026-10-26', '2026-13-45', 'last', '']) {
        await page.goto(`${server.url}/app/profile?week=${wrong}`)
        await expect(week(page, 'This week')).toBeVisible()
        await expect(page.getByText('get deeb')).toBeVisible()
        await expect(later(page)).toBeDisabled()
      }
    })

    await test.step('last week is pale on days to come and until a day has a minute', async () => {
      await expect(page.getByText('Pale: last week')).toBeVisible()
      await expect(bar(page, 'Monday 0h 0m of 1h 0m')).toBeVisible()
      const tuesday = bar(page, 'Tuesday 0h 0m of 1h 0m, last week 0h 45m')
      await expect(tuesday).toBeVisible()
      await expect(page.getByText('Best week 1h 30m')).toBeVisible()
      await expect(page.getByRole('list', { name: '3 weeks' }).getByRole('button')).toHaveCount(3)
      // On Tuesday.
      await pass(24 * 60)
      await expect(tuesday).toHaveAttribute('aria-current', 'date')
      await switchDeeb(page, 'on')
      await pass(5)
      await switchDeeb(page, 'off')
      await expect(bar(page, 'Tuesday 0h 5m of 1h 0m')).toBeVisible()
      const wednesday = bar(page, 'Wednesday 0h 0m of 1h 0m, last week 0h 30m')
      await expect(wednesday).toBeVisible()
      // On Thursday: Wednesday is over, and the week has time.
      await pass(2 * 24 * 60)
      await expect(bar(page, 'Wednesday 0h 0m of 1h 0m')).toBeVisible()
      await expect(page.getByText('Pale: last week')).toHaveCount(0)
    })
  })

  test('a swipe to the right shows the week before, and a vertical one scrolls', { tag: '@heavy' }, async ({
    page,
    server,
    pass,
  }) => {
    await becomeUser(page, server, MARA)
    await workTwoWeeks(page, pass)
    await swipe(page, 120)
    await expect(week(page, 'Last week')).toBeVisible()
    await swipe(page, 120, 10)
    await expect(week(page, '12 – 18 Oct')).toBeVisible()
    await swipe(page, 120)
    await swipe(page, -30)
    await swipe(page, -60, -140)
    await expect(week(page, '12 – 18 Oct')).toBeVisible()
    await swipe(page, -120)
    await expect(week(page, 'Last week')).toBeVisible()
  })

  test('axe finds no violation, nothing overlaps at 150 and 200 % text, and an earlier week moves nothing on a desktop', {
    tag: '@heavy',
  }, async ({ page, server, pass, context }) => {
    await becomeUser(page, server, MARA)
    await workTwoWeeks(page, pass)
    await test.step('on a desktop all of Profile is above the bar, and an earlier week moves nothing', async () => {
      await page.setViewportSize({ width: 1280, height: 800 })
      const bottomBar = await page.getByRole('navigation', { name: 'Main' }).boundingBox()
      const link = page.getByRole('link', { name: 'Edit sessions' })
      const linkBox = await link.boundingBox()
      expect((linkBox?.y ?? 0) + (linkBox?.height ?? 0)).toBeLessThanOrEqual(bottomBar?.y ?? 0)
      const places = () =>
        Promise.all([
          week(page, 'This week')
            .or(week(page, 'Last week'))
            .evaluate((heading) => heading.getBoundingClientRect().y),
          ring(page, 'Your Average/Week').boundingBox(),
          page.getByRole('list', { name: '3 weeks' }).boundingBox(),
        ])
      const before = await places()
      await earlier(page).click()
      await expect(page.getByText('18% of goal')).toBeVisible()
      expect(await places()).toEqual(before)
    })
    await page.keyboard.press('ArrowRight')
    await expect(week(page, 'This week')).toBeVisible()
    await page.setViewportSize({ width: 390, height: 844 })

    await test.step('a week that is not cached says so offline, and is loaded with the network', async () => {
      await earlier(page).click()
      await expect(page.getByText('18% of goal')).toBeVisible()
      await page.keyboard.press('ArrowRight')
      await page.route('**/api/week*', (route) => route.abort())
      await page.keyboard.press('ArrowLeft')
      await expect(page.getByText('18% of goal')).toBeVisible()
      await page.unroute('**/api/week*')
      await page.evaluate(() => localStorage.removeItem('deeb.kept-reads'))
      await page.goto(page.url().replace(/\?.*/, ''))
      await expect(week(page, 'This week')).toBeVisible()

      await context.setOffline(true)
      await earlier(page).click()
      await expect(week(page, 'Last week')).toBeVisible()
      const alert = page.getByRole('alert').filter({ hasText: 'This week could not be loaded.' })
      await expect(alert).toBeVisible()
      await expect(bar(page, 'Last week 1h 15m')).toBeVisible()
      await context.setOffline(false)
      await expect(page.getByText('18% of goal')).toBeVisible()
      await expect(alert).toHaveCount(0)
    })
    await page.keyboard.press('ArrowRight')
    await expect(week(page, 'This week')).toBeVisible()

    await test.step('axe, and text at 150 and 200 %', async () => {
      for (const look of ['light', 'focus']) {
        if (look === 'focus') await switchDeeb(page, 'on')
        await expectClean(page)
        await earlier(page).click()
        await expect(page.getByText('18% of goal')).toBeVisible()
        await expectClean(page)
        await page.keyboard.press('ArrowRight')
      }
      await page.getByRole('button', { name: /^Avg. User Week/ }).click()
      for (const width of [320, 390, 1024]) {
        for (const percent of [100, 150, 200]) {
          await page.setViewportSize({ width, height: 844 })
          await page.evaluate((size) => {
            document.documentElement.style.fontSize = size
          }, `${percent}%`)
          const boxes = await page.getByRole('figure').evaluateAll((figures) =>
            figures.map((figure) => {
              const { x, y, right, bottom } = (figure.querySelector('[role=img]') ?? figure).getBoundingClientRect()
              return { x, y, right, bottom }
            }),
          )
          expect(boxes).toHaveLength(4)
          for (const [n, box] of boxes.entries()) {
            expect(box.x).toBeGreaterThanOrEqual(0)
            expect(box.right).toBeLessThanOrEqual(width)
            for (const other of boxes.slice(n + 1)) {
              expect(other.x >= box.right || other.y >= box.bottom, `${width} px, ${percent} %`).toBe(true)
            }
          }
          const content = await page.evaluate(() => document.documentElement.scrollWidth)
          expect(content, `${width} px, ${percent} %`).toBeLessThanOrEqual(width)
        }
      }
    })
  })
})
