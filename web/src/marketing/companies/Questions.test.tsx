import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Questions } from './Questions.tsx'

test('the answer about the GDPR lists all stored personal data', async () => {
  await render(<Questions />)
  const account = ['an email address', 'a username', 'a name']
  const use = ['goals', 'focus times', 'connections', 'circles', 'whom someone waits for']
  const safety = ['internet addresses', 'devices', 'address of their browser']
  for (const held of [...account, ...use, ...safety]) {
    await expect.element(page.getByText('it is built for it.')).toHaveTextContent(held)
  }
})
