import type { Page } from '@playwright/test'

interface Icon {
  /** Width and height of the image, in pixels. */
  size: number
  path: string
  /** The background: the icon's square with round corners (default), a square that fills the image, a disc, or nothing. */
  ground?: 'round' | 'square' | 'disc' | 'none'
  /** The scale of the drawing; 1 is the size in icon.svg. */
  drawing?: number
  /** The share of the image that the icon fills; the app's light background fills the rest. */
  share?: number
}

const CORNER = { round: 115, square: 0, disc: 256, none: 0 }
const LIGHT_GROUND = '#f7f6f2'

/** Takes an image of icon.svg, which the page must show already. */
export async function takeIcon(page: Page, icon: Icon): Promise<void> {
  const { size, path, ground = 'round', drawing = 1, share = 1 } = icon
  await page.setViewportSize({ width: size, height: size })
  await page.evaluate(
    ({ corner, visibility, drawing, side, paper }) => {
      const svg = document.documentElement
      svg.setAttribute('viewBox', `${256 - side / 2} ${256 - side / 2} ${side} ${side}`)
      svg.style.background = paper
      const square = document.querySelector('rect')
      square?.setAttribute('rx', `${corner}`)
      square?.setAttribute('visibility', visibility)
      for (const part of document.querySelectorAll('g, svg > circle')) {
        part.setAttribute('transform', `translate(256 256) scale(${drawing}) translate(-256 -256)`)
      }
    },
    {
      corner: CORNER[ground],
      visibility: ground === 'none' ? 'hidden' : 'visible',
      drawing,
      side: 512 / share,
      paper: share < 1 ? LIGHT_GROUND : '',
    },
  )
  await page.screenshot({ path, omitBackground: true })
}
