import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { withElements } from './with-elements.tsx'

const text = ({ name, count }: Record<'name' | 'count', unknown>) =>
  count === 1 ? `${name} hat eine Anfrage` : `${count} Anfragen an ${name}!`

test('a text has an element in place of a placeholder, wherever the language puts it', async () => {
  const { container } = await render(<p>{withElements(text, { name: <b>Ann</b>, count: 2 })}</p>)
  expect(container.innerHTML).toBe('<p><span>2 Anfragen an </span><b>Ann</b><span>!</span></p>')
})

test('a number that is no element chooses the plural', async () => {
  const { container } = await render(<p>{withElements(text, { name: <b>Ann</b>, count: 1 })}</p>)
  expect(container.textContent).toBe('Ann hat eine Anfrage')
})
