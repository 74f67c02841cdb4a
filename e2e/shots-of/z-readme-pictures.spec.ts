import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'

const shots = new URL('../shots/', import.meta.url)
const docs = new URL('../../docs/', import.meta.url)

/** The images of the README, each cut from the top of a screenshot. */
const PICTURES = {
  'home.png': '390-home-focus.png',
  'team.png': '390-circles-team.png',
  'site.png': '390-site-home.png',
}

test('images of the README, from the screenshots of Home, the team and the public page', async ({ page }, {
  project,
}) => {
  if (project.name !== '390') return
  for (const [picture, shot] of Object.entries(PICTURES)) {
    const data = (await readFile(new URL(shot, shots))).toString('base64')
    await page.setContent(
      `<style>
        body { margin: 0 }
        img { display: block; width: 390px; height: 844px; object-fit: cover; object-position: top;
          outline: 1px solid #c9c6bd; outline-offset: -1px; border-radius: 24px }
      </style>
      <img alt="" src="data:image/png;base64,${data}">`,
    )
    const image = page.getByRole('presentation')
    await expect(image).toHaveJSProperty('complete', true)
    await image.screenshot({ path: new URL(picture, docs).pathname, omitBackground: true })
  }
})
