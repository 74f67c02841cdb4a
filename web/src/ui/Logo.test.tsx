import './tokens.css'
import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { Logo } from './Logo.tsx'

const plugs = () => [...document.querySelectorAll('circle')]
const scales = () => plugs().map((plug) => getComputedStyle(plug).scale)
const moving = () => plugs().flatMap((plug) => plug.getAnimations().map((move) => move.effect?.getTiming()))

test('the first paint is not animated', async () => {
  await render(<Logo plugs="in" />)
  expect(scales()).toEqual(['1', '1'])
  expect(moving()).toEqual([])
})

test('a change animates the d first and the b 80 ms later', async () => {
  const screen = await render(<Logo plugs="out" />)
  expect(scales()).toEqual(['0', '0'])
  await screen.rerender(<Logo plugs="in" />)
  expect(moving()).toMatchObject([
    { duration: 200, delay: 0 },
    { duration: 200, delay: 80 },
  ])
  await expect.poll(scales).toEqual(['1', '1'])
})
