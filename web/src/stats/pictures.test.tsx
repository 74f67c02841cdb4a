import '../testing/british.ts'
import '../testing/signed-in.ts'
import '../ui/tokens.css'
import { expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { FOCUS_OFF, HOME } from '../testing/mock-api.ts'
import { button, openScreen, translatePage } from '../testing/open-screen.tsx'
import ProfileScreen from './ProfileScreen.tsx'
import YearScreen from './YearScreen.tsx'

const WEEK = {
  ...FOCUS_OFF,
  week: Array.from({ length: 7 }, (_, n) => ({
    ...{ date: `2026-06-${15 + n}`, dayOfWeek: (n + 1) % 7, savedSeconds: n === 0 ? 5400 : 0, goalMinutes: 60 },
    ...{ startsAt: `2026-06-${15 + n}T00:00:00.000Z`, endsAt: `2026-06-${16 + n}T00:00:00.000Z` },
  })),
  ...{ averageWeekMinutes: 100, firstWeek: '2026-05-18', earlierWeeksMinutes: [60, 60, 60, 60], earlierWeeks: 4 },
  lastWeekMinutes: Array(7).fill(0),
  companyAverage: { domain: 'fjordlab.example', minutes: 777, margin: 33 },
}

/** Four weeks with focus time, and the hours from 9 to 11. */
const YEAR = {
  ...{ from: '2025-07-01', to: '2026-06-15', hoursFrom: '2026-05-20' },
  days: [
    { date: '2026-05-20', minutes: 60, goalMinutes: 60 },
    { date: '2026-05-27', minutes: 30, goalMinutes: 60 },
    { date: '2026-06-03', minutes: 90, goalMinutes: 60 },
    { date: '2026-06-15', minutes: 200, goalMinutes: 60 },
  ],
  hourSeconds: Array.from({ length: 24 }, (_, hour) => (hour === 9 || hour === 10 ? 3600 : 0)),
}

const openProfile = (week: object = WEEK) => openScreen(<ProfileScreen />, { 'GET /api/week': week })
const openYear = (year: object | string = YEAR) => openScreen(<YearScreen />, { 'GET /api/year': year as object })

/** The file that a press of the button saves. */
async function saved(name: string): Promise<{ name: string; blob: Blob }> {
  const blobs: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${blobs.push(blob as Blob)}`)
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  await expect.element(button(name)).not.toHaveAttribute('aria-disabled')
  await button(name).click()
  const [link] = click.mock.contexts as HTMLAnchorElement[]
  const [blob] = blobs
  if (!link || !blob) throw new Error('Nothing was saved.')
  vi.mocked(URL.createObjectURL).mockRestore()
  click.mockRestore()
  return { name: link.download, blob }
}

/** The size of a picture, and the colour of its corner. */
async function read(blob: Blob) {
  const bitmap = await createImageBitmap(blob)
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
  canvas?.drawImage(bitmap, 0, 0)
  const corner = canvas?.getImageData(0, 0, 1, 1).data.join()
  return { type: blob.type, size: [bitmap.width, bitmap.height], corner }
}

const PAPER = '247,246,242,255'
/** Who Mara is, where she works, and the figures of others. */
const NOT_OWN = /mara|lind|fjordlab|777|12h 57m|Avg/i

test('the shown week is saved as a square PNG, without a figure or a name of anybody', async () => {
  await openProfile()
  await button('Share this week').click()
  const label = '15 – 21 Jun 2026: 1h 30m of 7h 0m. Monday 1h 30m of 1h 0m, Tuesday 0h 0m of 1h 0m'
  const picture = page.getByRole('img', { name: label })
  await expect.element(picture).toBeVisible()
  expect(picture.element().outerHTML).not.toMatch(NOT_OWN)
  const { name, blob } = await saved('Save as PNG')
  expect(name).toBe('deeb-week-2026-06-15.png')
  expect(await read(blob)).toEqual({ type: 'image/png', size: [1080, 1080], corner: PAPER })
  await expect.element(button('Save as SVG')).not.toBeInTheDocument()
})

test('the username is in the picture only if its user wants that', async () => {
  await openProfile()
  await button('Share this week').click()
  await page.getByRole('switch', { name: 'With my name' }).click()
  const picture = page.getByRole('img', { name: '15 – 21 Jun 2026' })
  await expect.element(picture.getByText('mara')).toBeInTheDocument()
  const named = (await saved('Save as PNG')).blob
  await page.getByRole('switch', { name: 'With my name' }).click()
  await expect.element(picture.getByText('mara')).not.toBeInTheDocument()
  expect((await saved('Save as PNG')).blob.size).not.toBe(named.size)
})

test('shares the file where the browser can, and a share that is cancelled is no failure', async () => {
  const share = vi.fn().mockRejectedValueOnce(new DOMException('', 'AbortError')).mockRejectedValueOnce(new Error())
  // Not every browser of the tests has them.
  const device = { canShare: () => true, share }
  for (const [name, value] of Object.entries(device))
    Object.defineProperty(navigator, name, { value, configurable: true })
  onTestFinished(() => {
    for (const name of Object.keys(device)) Reflect.deleteProperty(navigator, name)
  })
  await openProfile()
  await button('Share this week').click()
  await button('Share').click()
  await expect.poll(() => share.mock.calls).toHaveLength(1)
  const [[{ files }]] = share.mock.calls as [[{ files: [File] }]]
  expect([files[0].name, files[0].type]).toEqual(['deeb-week-2026-06-15.png', 'image/png'])
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  await button('Share').click()
  await expect.element(page.getByText('The picture could not be shared. Save it instead.')).toBeVisible()
})

test('a week without a minute cannot be shared', async () => {
  const week = WEEK.week.map((day) => ({ ...day, savedSeconds: 0 }))
  await openProfile({ ...WEEK, week })
  await expect.element(page.getByText('Edit sessions')).toBeVisible()
  await expect.element(button('Share this week')).not.toBeInTheDocument()
})

test.for([
  [3, false],
  [4, true],
] as const)('after %i weeks, Profile offers the year: %s', async ([earlierWeeks, isOffered]) => {
  await openProfile({ ...WEEK, earlierWeeks })
  await expect.element(page.getByText('Edit sessions')).toBeVisible()
  expect(page.getByRole('link', { name: 'Your year' }).elements()).toHaveLength(isOffered ? 1 : 0)
})

test('a year before the fourth week says when it comes, and one that fails offers a retry', async () => {
  const { answers } = await openYear('unavailable')
  await expect.element(page.getByText('Your year could not be loaded')).toBeVisible()
  answers['GET /api/year'] = { ...YEAR, days: YEAR.days.slice(1) }
  await button('Try again').click()
  await expect.element(page.getByText('Your year shows here after four weeks with focus time.')).toBeVisible()
  await expect.element(page.getByRole('slider')).not.toBeInTheDocument()
})

test('the days of the year are one tab stop, with arrow keys for days and weeks', async () => {
  await openYear()
  await expect.element(page.getByRole('heading', { name: '6h 20m on 4 days' })).toBeVisible()
  const days = page.getByRole('slider', { name: 'Days of the year' })
  days.element().focus()
  await expect.element(days).toHaveAttribute('aria-valuetext', 'Monday 15 June: 3h 20m of 1h 0m')
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(page.getByText('Sunday 14 June: no focus time')).toBeVisible()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowUp}')
  await expect.element(days).toHaveAttribute('aria-valuetext', 'Monday 8 June: no focus time')
  await userEvent.keyboard('{Home}{ArrowUp}')
  await expect.element(days).toHaveAttribute('aria-valuetext', 'Friday 1 May: no focus time')
  await userEvent.keyboard('{End}')
  await expect.element(days).toHaveAttribute('aria-valuenow', String(45))
})

test('a pointer names the day under it', async () => {
  const { container } = await openYear()
  await expect.element(page.getByRole('slider')).toBeVisible()
  await userEvent.hover(container.querySelector('[data-date="2026-06-03"]') as Element)
  await expect.element(page.getByText('Wednesday 3 June: 1h 30m of 1h 0m')).toBeVisible()
  expect(container.querySelectorAll('[data-date]')).toHaveLength(46)
})

test('the hours have a sentence, and say since when there are sessions if some are deleted', async () => {
  const { answers, queryClient } = await openYear()
  await expect.element(page.getByText('Most between 09:00 and 11:00.')).toBeVisible()
  await expect.element(page.getByText(/Older ones are deleted/)).not.toBeInTheDocument()
  answers['GET /api/year'] = { ...YEAR, hoursFrom: '2026-06-03' }
  await queryClient.refetchQueries()
  await expect.element(page.getByText(/sessions since 3 June 2026/)).toBeVisible()
})

test('the year is saved as PNG and as SVG, which stands alone and names nobody', async () => {
  await openYear()
  await button('Save or share').click()
  const png = await saved('Save as PNG')
  expect(png.name).toBe('deeb-year-2026-06-15.png')
  expect(await read(png.blob)).toEqual({ type: 'image/png', size: [1080, 1350], corner: PAPER })
  const svg = await saved('Save as SVG')
  expect([svg.name, svg.blob.type]).toEqual(['deeb-year-2026-06-15.svg', 'image/svg+xml'])
  const text = await svg.blob.text()
  expect(text).not.toMatch(NOT_OWN)
  // No reference to this site, its style sheets or its tokens.
  expect(text).not.toMatch(/href|class=|style|var\(|url\(/)
  const file = new DOMParser().parseFromString(text, 'image/svg+xml')
  expect(file.querySelector('parsererror')).toBeNull()
  expect(file.documentElement.getAttribute('viewBox')).toBe('0 0 1080 1350')
  expect(file.documentElement.getAttribute('aria-label')).toContain('6h 20m on 4 days')
  expect([...file.querySelectorAll('text')].map((each) => each.textContent)).toContain('6h 20m on 4 days')
})

test('a picture in focus mode is black, like the page', async () => {
  const openSession = { id: '01890a5d-ac96-774b-bcce-b302099a8057', startedAt: HOME.serverTime, endedAt: null }
  await openScreen(<YearScreen />, { 'GET /api/year': YEAR, 'GET /api/home': { ...HOME, openSession } })
  await expect.poll(() => document.documentElement.dataset.focus).toBe('on')
  await Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
  await button('Save or share').click()
  expect((await read((await saved('Save as PNG')).blob)).corner).toBe('0,0,0,255')
})

test('a translated year can be pointed at, and its picture is not translated', async () => {
  const { container } = await openYear()
  await expect.element(page.getByRole('slider')).toBeVisible()
  translatePage(container)
  await userEvent.hover(container.querySelector('[data-date="2026-06-03"]') as Element)
  await expect.element(page.getByText('Wednesday 3 June: 1h 30m of 1h 0m')).toBeVisible()
  await button('Save or share').click()
  translatePage(document.body)
  await page.getByRole('switch', { name: 'With my name' }).click()
  await expect.element(page.getByRole('dialog').getByText('mara', { exact: false })).toBeInTheDocument()
})
