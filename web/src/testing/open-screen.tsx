import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { type Answers, HOME, mockApi } from './mock-api.ts'

/** Shows a screen of Mara, whose calls get these answers. They can be changed later. */
export async function openScreen(
  element: ReactNode,
  answers: Answers = {},
  queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } }),
) {
  const all: Answers = { 'GET /api/home': HOME, 'GET /api/team/alerts': { alerts: [] }, ...answers }
  const calls = mockApi(all)
  const withClient = (shown: ReactNode) => <QueryClientProvider client={queryClient}>{shown}</QueryClientProvider>
  const { container, rerender } = await render(withClient(element))
  return {
    ...{ answers: all, calls, container, queryClient },
    /** Shows another screen in its place. */
    show: (next: ReactNode) => rerender(withClient(next)),
    /** The bodies of a call, as `PUT /api/goals`. */
    bodies: (call: string) => calls.filter((sent) => sent.call === call).map(({ body }) => body),
  }
}

export const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
export const dialog = (name: string) => page.getByRole('dialog', { name })

/** A failure is in a toast and in the page, where it stays after the toast. */
export async function expectFailure(text: string): Promise<void> {
  const alert = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Dismiss' }) })
  await expect.element(alert).toHaveTextContent(text)
  await expect.poll(() => page.getByText(text).elements()).toHaveLength(2)
  await alert.getByRole('button', { name: 'Dismiss' }).click()
  await expect.element(alert).not.toBeInTheDocument()
  await expect.element(page.getByText(text)).toBeVisible()
}

/** Replaces each text by an element, as a browser does that translates a page: the text of React is gone. What is not translated stays. */
export function translatePage(container: Element): void {
  const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  for (const text of texts) {
    if (text.data.trim() === '' || text.parentElement?.closest('[translate=no]')) continue
    const translated = document.createElement('font')
    translated.textContent = text.data
    text.replaceWith(translated)
  }
}
