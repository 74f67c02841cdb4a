import { readFile } from 'node:fs/promises'
import { test } from '@playwright/test'

const shots = new URL('../shots/', import.meta.url)

test('the picture of the README, from the pictures of Home', async ({ page }, { project }) => {
  if (project.name !== '390') return
  const images = await Promise.all(
    ['390-home-light.png', '390-home-focus.png'].map(async (name) => {
      const data = (await readFile(new URL(name, shots))).toString('base64')
      return `<img width="360" alt="" src="data:image/png;base64,${data}">`
    }),
  )
  await page.setViewportSize({ width: 768, height: 800 })
  await page.setContent(
    `<style>body { margin: 0; padding: 16px; display: flex; gap: 16px; background: #ebe9e2 } img { border-radius: 20px }</style>
    ${images.join('')}`,
  )
  await page
    .locator('body')
    .screenshot({ path: new URL('../../docs/home.png', import.meta.url).pathname, scale: 'css' })
})
