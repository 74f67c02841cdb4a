import { APP_PATHS } from '@deeb/core/paths'
import { QueryClientProvider } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { queryClient } from '../cache/query-client.ts'
import { Shortcuts } from './Shortcuts.tsx'

const START = window.location.pathname + window.location.search

afterEach(() => history.replaceState(null, '', START))

async function press(...keys: { key: string; code: string }[]): Promise<void> {
  await render(
    <QueryClientProvider client={queryClient}>
      <Shortcuts userId="mara" />
    </QueryClientProvider>,
  )
  for (const key of keys) document.body.dispatchEvent(new KeyboardEvent('keydown', { ...key, bubbles: true }))
}

test.each([
  ['Cyrillic', 'ы', 'KeyS', APP_PATHS.settings],
  ['Greek', 'τ', 'KeyT', APP_PATHS.team],
  ['Hebrew', 'פ', 'KeyP', APP_PATHS.profile],
  ['Arabic', 'ا', 'KeyH', APP_PATHS.home],
  ['Thai, where it types a mark', '\u0e49', 'KeyH', APP_PATHS.home],
  ['Dvorak', 's', 'Semicolon', APP_PATHS.settings],
  ['Latin with Caps Lock', 'T', 'KeyT', APP_PATHS.team],
])('a key opens its screen on a layout that is %s', async (_, key, code, path) => {
  await press({ key, code })
  await expect.poll(() => window.location.pathname).toBe(path)
})

test('a Latin letter or a punctuation mark at the place of a shortcut is none', async () => {
  await press({ key: 'o', code: 'KeyS' }, { key: ';', code: 'KeyT' }, { key: 'p', code: 'KeyR' })
  await expect.poll(() => window.location.pathname).toBe(APP_PATHS.profile)
  history.back()
  await expect.poll(() => window.location.pathname + window.location.search).toBe(START)
})
