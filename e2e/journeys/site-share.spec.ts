import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { FINGERPRINT, fingerprint } from '../../web/share-cards.ts'
import { test } from '../test.ts'

const PAGES = ['/', '/companiesLP4358', '/teamsLP678', '/coming-soon', '/waitlist']

test('every page has a title, a canonical link and Open Graph tags', async ({ page, server }) => {
  const said = new Set<string | null>()
  for (const path of PAGES) {
    await page.goto(server.url + path)
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
})

test('the share images match the current cards', async () => {
  const kept = (await readFile(FINGERPRINT, 'utf8')).trim()
  expect(await fingerprint(), 'Run `npm run share-pictures -w e2e`, look at web/public/share, commit them.').toBe(kept)
})
