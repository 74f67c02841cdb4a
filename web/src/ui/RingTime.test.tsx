import './tokens.css'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Ring, type RingKind } from './Ring.tsx'
import { RingTime } from './RingTime.tsx'
import { emulateMedia } from './testing/emulated-media.ts'

const text = () => document.querySelector('.ring-time')?.textContent

test('shows hours and minutes, or hours alone', async () => {
  await emulateMedia({ 'prefers-reduced-motion': 'reduce' })
  const screen = await render(<RingTime hours={3} minutes={43} />)
  expect(text()).toBe('3h 43m')
  await screen.rerender(<RingTime hours={124} minutes={null} />)
  expect(text()).toBe('124h')
})

test('counts up on the first paint, and from there to a new time', async () => {
  const seen = new Set<string>()
  const watch = new MutationObserver(() => seen.add(text() ?? ''))
  watch.observe(document.body, { subtree: true, childList: true, characterData: true })
  const screen = await render(<RingTime hours={1} minutes={10} />)
  await expect.poll(text).toBe('1h 10m')
  expect(seen).toContain('0h 00m')
  seen.clear()
  await screen.rerender(<RingTime hours={2} minutes={50} />)
  await expect.poll(text).toBe('2h 50m')
  expect(seen.size).toBeGreaterThan(1)
  watch.disconnect()
})

test('nothing moves sideways during the count', async () => {
  await render(<RingTime hours={3} minutes={43} />)
  const place = () =>
    [...document.querySelectorAll('.ring-unit')].map((unit) => Math.round(unit.getBoundingClientRect().left))
  const first = place()
  await expect.poll(text).toBe('3h 43m')
  expect(place()).toEqual(first)
})

const sizes: [RingKind, number][] = [
  ['dial', 342],
  ['dial', 272],
  ['dial', 432],
  ['dial', 480],
  ['small', 112],
  ['reference', 112],
]

test.each(sizes)('the digits in a %s ring of %i px are on the centre or at most 1 px above it', async (kind, size) => {
  await emulateMedia({ 'prefers-reduced-motion': 'reduce' })
  await page.viewport(520, 520)
  await document.fonts.load('560 79px "Hanken Grotesk Variable"')
  await render(
    <div style={{ width: size }}>
      <Ring progress={0} label="time" kind={kind}>
        <RingTime hours={8} minutes={null} />
      </Ring>
    </div>,
  )
  const { top, bottom } = await figureRows(page.getByRole('img').element(), size)
  const above = size / 2 - (top + bottom) / 2
  expect(above).toBeGreaterThanOrEqual(0)
  expect(above).toBeLessThanOrEqual(1)
})

/** The first and the last pixel row of the digits, from the top of the ring, weighted by the darkness of the edge row. */
async function figureRows(ring: Element, size: number): Promise<{ top: number; bottom: number }> {
  const base64 = await page.screenshot({ element: ring, base64: true, save: false })
  const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob())
  const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
  if (!canvas) throw new Error('no canvas')
  canvas.drawImage(picture, 0, 0)
  const scale = picture.width / size
  // The digit is left of the middle, its unit right of it: read the left part of the middle third.
  const [x, y, width, height] = [0.35, 0.3, 0.15, 0.4].map((part) => Math.round(part * picture.width)) as [
    number,
    number,
    number,
    number,
  ]
  const { data } = canvas.getImageData(x, y, width, height)
  const darkness = Array.from({ length: height }, (_, row) => {
    const reds = Array.from({ length: width }, (_, column) => data[(row * width + column) * 4] ?? 255)
    return (247 - Math.min(...reds)) / (247 - 16)
  })
  const first = darkness.findIndex((row) => row > 0.05)
  const last = darkness.findLastIndex((row) => row > 0.05)
  return {
    top: (y + first + 1 - (darkness[first] ?? 1)) / scale,
    bottom: (y + last + (darkness[last] ?? 1)) / scale,
  }
}
