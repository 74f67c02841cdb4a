import './tokens.css'
import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { Logo } from './Logo.tsx'

const plugs = () => [...document.querySelectorAll('circle')]
const scales = () => plugs().map((plug) => getComputedStyle(plug).scale)
const moving = () => plugs().flatMap((plug) => plug.getAnimations().map((move) => move.effect?.getTiming()))

test('it is painted at once, with the plugs where they are', async () => {
  await render(<Logo plugs="in" />)
  expect(scales()).toEqual(['1', '1'])
  expect(moving()).toEqual([])
})

test('on a change the d is plugged first, the b 80 ms later', async () => {
  const screen = await render(<Logo plugs="out" />)
  expect(scales()).toEqual(['0', '0'])
  await screen.rerender(<Logo plugs="in" />)
  expect(moving()).toMatchObject([
    { duration: 200, delay: 0 },
    { duration: 200, delay: 80 },
  ])
  await expect.poll(scales).toEqual(['1', '1'])
})
