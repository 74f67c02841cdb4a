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
