import './tokens.css'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Ring } from './Ring.tsx'
import { RingTime } from './RingTime.tsx'
import { emulateMedia } from './testing/emulated-media.ts'

/** Renders a ring at a percentage of its goal. Returns how much of the circle each colour covers, in percent. */
async function arcsAt(percent: number) {
  await emulateMedia({ 'prefers-reduced-motion': 'reduce' })
  await render(<Ring progress={percent / 100} excess={percent / 100 - 1} label={`${percent}%`} />)
  const length = (colour: string) => {
    const arc = document.querySelector(`.ring-arc.stroke-${colour}`)
    return arc ? Number.parseFloat(getComputedStyle(arc).strokeDasharray) : null
  }
  return { ink: length('ink'), gap: length('ground'), green: length('green') }
}

test('draws nothing on the track at 0%', async () => {
  expect(await arcsAt(0)).toEqual({ ink: null, gap: null, green: null })
})

test('the ink covers 62% at 62%', async () => {
  expect(await arcsAt(62)).toEqual({ ink: 62, gap: null, green: null })
})

test('the ink is full and nothing is green at 100%', async () => {
  expect(await arcsAt(100)).toEqual({ ink: 100, gap: null, green: null })
})

test('green covers 22% at 122%, in a slightly longer gap', async () => {
  const { ink, gap, green } = await arcsAt(122)
  expect(ink).toBe(100)
  expect(green).toBeCloseTo(22, 3)
  expect(gap).toBeGreaterThan(22.5)
  expect(gap).toBeLessThan(23)
})

test('green is full from 200%', async () => {
  expect(await arcsAt(200)).toEqual({ ink: 100, gap: 100, green: 100 })
  expect(await arcsAt(340)).toMatchObject({ green: 100 })
})

test('is one image with its label', async () => {
  await render(<Ring progress={0.62} label="3 hours 43 minutes of 6 hours, 62 percent" hourMarks={[0, 60, 120]} />)
  const ring = page.getByRole('img', { name: '3 hours 43 minutes of 6 hours, 62 percent' })
  await expect.element(ring).toBeVisible()
})

test('fills its container, and its time scales with it', async () => {
  await emulateMedia({ 'prefers-reduced-motion': 'reduce' })
  await document.fonts.load('560 79px "Hanken Grotesk Variable"')
  const drawn = async (place: string) => {
    const screen = await render(
      <div className={place}>
        <Ring progress={0} label="time">
          <RingTime hours={3} minutes={43} />
        </Ring>
      </div>,
    )
    const ring = page.getByRole('img').element().getBoundingClientRect()
    const time = document.querySelector('.ring-time text')?.getBoundingClientRect().width ?? 0
    await screen.unmount()
    return { width: ring.width, height: ring.height, time }
  }
  const [small, large] = [await drawn('w-25'), await drawn('w-75')]
  expect(small).toMatchObject({ width: 100, height: 100 })
  expect(large).toMatchObject({ width: 300, height: 300 })
  expect(large.time / small.time).toBeCloseTo(3, 1)
})

test('the first paint grows from zero, and a change is animated in 200 ms', async () => {
  const screen = await render(<Ring progress={0.5} label="half" />)
  const arc = () => document.querySelector('.ring-arc') as SVGElement
  const moving = () => arc().getAnimations()
  expect(moving()).toHaveLength(1)
  for (const animation of moving()) animation.finish()
  expect(getComputedStyle(arc()).strokeDasharray).toBe('50px, 100px')
  await screen.rerender(<Ring progress={0.6} label="more" />)
  expect(moving().map((animation) => animation.effect?.getTiming().duration)).toEqual([200])
})

test('is not animated with reduced motion', async () => {
  await emulateMedia({ 'prefers-reduced-motion': 'reduce' })
  await render(<Ring progress={0.5} label="half" />)
  expect(document.querySelector('.ring-arc')?.getAnimations()).toHaveLength(0)
})
