import type { Page } from '@playwright/test'

interface Icon {
  /** Of the square picture, in pixels. */
  size: number
  path: string
  /** What the drawing stands on: the icon's own square with round corners (default), one that fills the picture, or nothing. */
  ground?: 'round' | 'square' | 'none'
  /** How large the drawing is on it, where 1 is as in icon.svg. */
  drawing?: number
}

/** A picture of icon.svg, which the page shows already. */
export async function takeIcon(page: Page, { size, path, ground = 'round', drawing = 1 }: Icon): Promise<void> {
  await page.setViewportSize({ width: size, height: size })
  await page.evaluate(
    ({ ground, drawing }) => {
      const square = document.querySelector('rect')
      square?.setAttribute('rx', ground === 'round' ? '115' : '0')
      square?.setAttribute('visibility', ground === 'none' ? 'hidden' : 'visible')
      for (const part of document.querySelectorAll('g, svg > circle')) {
        part.setAttribute('transform', `translate(256 256) scale(${drawing}) translate(-256 -256)`)
      }
    },
    { ground, drawing },
  )
  await page.screenshot({ path, omitBackground: ground !== 'square' })
}
