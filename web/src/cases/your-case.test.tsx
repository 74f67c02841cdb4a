import '../testing/british.ts'
import '../testing/signed-in.ts'
import '../ui/tokens.css'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { button, dialog, openScreen } from '../testing/open-screen.tsx'
import YourCase from './YourCase.tsx'

const [READ, CREATE, REVOKE] = ['GET /api/cases', 'POST /api/cases', 'POST /api/cases/revoke']
const ID = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa'
const CODE = 'Zm9vYmFyLWJhel9xdXV4MQ'
const CASE = { id: ID, since: '2026-06-15T09:00:00.000Z' }

afterEach(() => {
  vi.unstubAllGlobals()
})

const openCases = (cases: object[], answers: Parameters<typeof openScreen>[1] = {}) =>
  openScreen(<YourCase />, { [READ]: { cases }, [CREATE]: { id: ID, code: CODE }, ...answers })

test('a new code is shown once, to print and to copy', async () => {
  const { answers, bodies, container } = await openCases([])
  answers[READ] = { cases: [CASE] }
  await button('Make a code').dblClick()
  const shown = dialog('Your new code')
  await expect.element(shown.getByRole('img', { name: 'QR code of your case' })).toBeVisible()
  await expect.element(shown.getByRole('button', { name: 'Write a tag' })).not.toBeInTheDocument()
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect.element(page.getByText('Since 15 June 2026')).toBeVisible()
  expect(bodies(CREATE)).toHaveLength(1)
  expect(container.innerHTML).not.toContain(CODE)
})

test.each([
  ['too_many_cases', 'You have 5 codes, the maximum.'],
  ['too_many_attempts', 'That was too often. Please try again later.'],
  ['unavailable', 'The code was not made. Please try again.'],
])('a code that is refused as %s says so', async (code, text) => {
  await openCases([], { [CREATE]: code })
  await button('Make a code').click()
  await expect.element(page.getByText(text).first()).toBeVisible()
})

test('a revoked code is gone, and a failure says that it still works', async () => {
  const { answers, bodies } = await openCases([CASE], { [REVOKE]: 'unavailable' })
  await button(/^Revoke the code/).click()
  await button('Revoke code').click()
  await expect.element(page.getByText('The code still works. Please try again.').first()).toBeVisible()
  Object.assign(answers, { [REVOKE]: { revoked: true }, [READ]: { cases: [] } })
  await button('Revoke code').click()
  await expect.element(page.getByText('Since 15 June 2026')).not.toBeInTheDocument()
  expect(bodies(REVOKE)).toEqual([{ id: ID }, { id: ID }])
})

test('five codes are the most', async () => {
  await openCases(Array.from({ length: 5 }, (_, n) => ({ ...CASE, id: ID.replace(/a$/, `${n}`) })))
  await expect.element(page.getByText('You have 5 codes, the maximum.')).toBeVisible()
  await expect.element(button('Make a code')).not.toBeInTheDocument()
})

/** A browser that writes tags. Each write waits until the test lets it end. */
function stubTagWriter() {
  const writes: { message: unknown; signal: AbortSignal; end: () => void; fail: (name: string) => void }[] = []
  vi.stubGlobal(
    'NDEFReader',
    class {
      write = (message: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise<void>((resolve, reject) => {
          writes.push({ message, signal, end: resolve, fail: (name) => reject(new DOMException('', name)) })
        })
    },
  )
  return writes
}

test('where the browser writes NFC tags, the link is written, and a refusal says so', async () => {
  const writes = stubTagWriter()
  await openCases([])
  await button('Make a code').click()
  await button('Write a tag').click()
  await expect.element(page.getByText('Hold the tag to the back of your phone.')).toBeVisible()
  const link = `${window.location.origin}/t#${CODE}`
  expect(writes[0]?.message).toEqual({ records: [{ recordType: 'url', data: link }] })
  writes[0]?.fail('NotAllowedError')
  await expect.element(page.getByText(/^NFC is off, or your browser/).first()).toBeVisible()
  await button('Write a tag').click()
  writes[1]?.end()
  await expect.element(page.getByText('Stick it on the case of your earplugs.')).toBeVisible()
  await button('Write a tag').click()
  await button('Done').click()
  await expect.poll(() => writes[2]?.signal.aborted).toBe(true)
})
