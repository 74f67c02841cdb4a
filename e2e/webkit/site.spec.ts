import { expect } from '@playwright/test'
import { test } from './test.ts'

test('no public page has an error or scrolls horizontally at 320 pixels, and its form is sent', async ({
  newWindow,
  server,
}) => {
  const window = await newWindow({ width: 320, height: 568 })
  for (const path of ['/', '/companiesLP4358', '/teamsLP678', '/coming-soon', '/waitlist']) {
    await window.goto(server.url + path)
    const { content, view, isLoaded } = await window.evaluate(async () => ({
      content: document.documentElement.scrollWidth,
      view: document.documentElement.clientWidth,
      isLoaded: [...(await document.fonts.ready)].some(({ status }) => status === 'loaded'),
    }))
    expect(content, path).toBeLessThanOrEqual(view)
    expect(isLoaded, path).toBe(true)
    expect(await window.errors(), path).toEqual([])
    if (!path.includes('LP')) continue
    // WebKit does not know a thickness or a colour in `text-decoration`.
    const line = await window.evaluate(() => {
      const current = document.querySelector('.site-link[aria-current]')
      return current && getComputedStyle(current).textDecorationLine
    })
    expect(line, path).toBe('underline')
  }
  await window.fill('Email', 'ann.meyer@fjordlab.example')
  await window.click('button', 'join the waitlist')
  await window.see('text', "you're on the list!")
})
