import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { FINGERPRINT, fingerprint } from '../../web/share-cards.ts'
import { test } from '../test.ts'

const PAGES = ['/', '/companiesLP4358', '/teamsLP678', '/coming-soon', '/waitlist']

test('every page has a title, a canonical link, current Open Graph tags, and links with targets', {
  tag: '@heavy',
}, async ({ page, server }) => {
  const targets = new Set<string>()
  const noteTargets = async () => {
    const links = await page.locator('a[href], link[rel=icon], link[rel=apple-touch-icon]').all()
    for (const link of links) targets.add(new URL((await link.getAttribute('href')) ?? '', server.url).href)
  }
  const said = new Set<string | null>()
  for (const path of PAGES) {
    await page.goto(server.url + path)
    await noteTargets()
    const head = (selector: string, attribute: string) => page.locator(selector).getAttribute(attribute)
    const description = await head('meta[name=description]', 'content')
    expect(description?.length).toBeGreaterThan(40)
    expect(await head('link[rel=canonical]', 'href')).toBe(server.url + path)
    expect(await head('meta[property="og:url"]', 'content')).toBe(server.url + path)
    expect(await head('meta[property="og:title"]', 'content')).toBe(await page.title())
    expect(await head('meta[property="og:description"]', 'content')).toBe(description)

    const picture = await head('meta[property="og:image"]', 'content')
    const png = await (await page.request.get(picture ?? '')).body()
    // The width and height in a PNG header.
    expect([png.readUInt32BE(16), png.readUInt32BE(20)], path).toEqual([1200, 630])
    for (const text of [await page.title(), description, picture]) said.add(text)
  }
  expect(said.size).toBe(3 * PAGES.length)
  await page.goto(`${server.url}/nowhere`)
  await noteTargets()
  for (const target of targets) {
    expect((await page.request.get(target)).status(), target).toBe(200)
    if (target.includes('#')) expect(target).toMatch(/#(content|alone)$/)
  }
  expect(targets.size).toBeGreaterThan(8)

  const kept = (await readFile(FINGERPRINT, 'utf8')).trim()
  expect(await fingerprint(), 'Run `npm run share-pictures -w e2e`, look at web/public/share, commit them.').toBe(kept)
})
