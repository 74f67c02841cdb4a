import { expect } from '@playwright/test'
import { test } from '../test.ts'

test('the browser is told how to install it', async ({ page, server }) => {
  await page.goto(`${server.url}/app`)
  const href = await page.locator('link[rel=manifest]').getAttribute('href')
  const answer = await page.request.get(server.url + href)
  expect(answer.headers()['content-type']).toContain('application/manifest+json')
  const manifest = await answer.json()
  expect(manifest).toMatchObject({ id: '/app', scope: '/app', start_url: '/app/home', display: 'standalone' })
  for (const { src, sizes, type } of manifest.icons) {
    const icon = await page.request.get(server.url + src)
    expect([src, icon.status(), icon.headers()['content-type']]).toEqual([src, 200, type])
    if (type !== 'image/png') continue
    const picture = await icon.body()
    expect([src, `${picture.readUInt32BE(16)}x${picture.readUInt32BE(20)}`]).toEqual([src, sizes])
  }
  // What Chromium itself finds wrong with it.
  const devtools = await page.context().newCDPSession(page)
  expect((await devtools.send('Page.getAppManifest')).errors).toEqual([])
})
