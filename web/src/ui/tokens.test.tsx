import './tokens.css'
import { afterEach, expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { emulateMedia } from './testing/emulated-media.ts'

const root = document.documentElement
const red = (colour: string) => Number(colour.match(/[\d.]+/)?.[0])
const ground = () => red(getComputedStyle(root).backgroundColor)

afterEach(() => {
  delete root.dataset.focus
  for (const animation of root.getAnimations()) animation.finish()
})

test('focus mode fades all tokens together', async () => {
  await render(
    <div className="bg-ground">
      <p className="text-ink">ink</p>
      <button type="button" className="bg-surface text-ink">
        on a surface
      </button>
    </div>,
  )
  const ink = (element: Element | null) => red(getComputedStyle(element as Element).color)
  expect(ground()).toBe(247)
  root.dataset.focus = 'on'
  for (const fade of root.getAnimations()) {
    fade.pause()
    fade.currentTime = 200
  }
  const part = (247 - ground()) / 247
  expect(part).toBeGreaterThan(0.5)
  expect(part).toBeLessThan(0.95)
  for (const element of [document.querySelector('p'), document.querySelector('button')]) {
    expect((ink(element) - 16) / (244 - 16)).toBeCloseTo(part, 1)
  }
})

test('focus mode does not fade with reduced motion', async () => {
  await emulateMedia({ 'prefers-reduced-motion': 'reduce' })
  root.dataset.focus = 'on'
  expect(ground()).toBe(0)
})

test('the dark mode of the system is ignored', async () => {
  await emulateMedia({ 'prefers-color-scheme': 'dark' })
  expect(matchMedia('(prefers-color-scheme: dark)').matches).toBe(true)
  expect(ground()).toBe(247)
  expect(getComputedStyle(root).colorScheme).toBe('light')
})

const LOOKS = { 'the light look': undefined, 'focus mode': 'on' }

test.each(Object.entries(LOOKS))('more contrast: texts of %s have 7:1, and edges and fills 3:1', async (_, focus) => {
  await emulateMedia({ 'prefers-contrast': 'more', 'prefers-reduced-motion': 'reduce' })
  if (focus) root.dataset.focus = focus
  const least = (names: string[]) =>
    Math.min(...names.flatMap((name) => ['ground', 'surface'].map((below) => contrast(token(name), token(below)))))
  expect(least(['ink', 'soft', 'green-text', 'destructive'])).toBeGreaterThanOrEqual(7)
  expect(least(['line', 'edge', 'tick', 'green', 'bar-line'])).toBeGreaterThanOrEqual(3)
  expect(contrast(token('on-destructive'), token('destructive'))).toBeGreaterThanOrEqual(7)
})

test.each(Object.entries(LOOKS))(
  'forced colours: the drawings of %s have the colours of the system',
  async (_, focus) => {
    await emulateMedia({ 'forced-colors': 'active', 'prefers-contrast': 'more', 'prefers-reduced-motion': 'reduce' })
    if (focus) root.dataset.focus = focus
    const { container } = await render(<p style={{ background: 'Canvas', color: 'CanvasText', fill: 'Highlight' }} />)
    const { backgroundColor, color, fill } = getComputedStyle(container.querySelector('p') as Element)
    expect([token('ground'), token('ink'), token('green')]).toEqual([backgroundColor, color, fill])
  },
)

const token = (name: string) => getComputedStyle(root).getPropertyValue(`--${name}`)

/** The contrast of two colours as WCAG defines it, 1 to 21. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
    const value = Number(part) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

test('digits are tabular', async () => {
  await document.fonts.load('16px "Hanken Grotesk Variable"')
  await render(
    <p>
      <span>1111</span> <span>0000</span>
    </p>,
  )
  const [ones, noughts] = [...document.querySelectorAll('span')].map((span) => span.getBoundingClientRect().width)
  expect(ones).toBe(noughts)
})
