import './tokens.css'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Button } from './Button.tsx'
import { FormError } from './FormError.tsx'
import { showFailure, showToast } from './toast.ts'
import { useBusy } from './use-busy.ts'

function Saving({ name, work }: { name: string; work: () => Promise<unknown> }) {
  const [busy, run, failure] = useBusy()
  return (
    <section aria-label={name}>
      <FormError>{failure}</FormError>
      <Button kind="primary" busy={busy} onClick={() => void run(work)}>
        Save {name}
      </Button>
    </section>
  )
}

const fail = async () => showFailure('Failed to save.')
const succeed = async () => showToast({ title: 'Saved', tone: 'success' })
const form = (name: string) => page.getByRole('region', { name })
const press = (name: string) => form(name).getByRole('button').click()
const top = (name: string) => form(name).getByRole('button').element().getBoundingClientRect().top
const toastsGone = async () => {
  vi.advanceTimersByTime(5000)
  await expect.poll(() => document.querySelectorAll('.toast').length).toBe(0)
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(async () => {
  await toastsGone()
  vi.useRealTimers()
})

test('the text of a failure toast is in its form too, and stays there without a move when the toast has disappeared', async () => {
  await render(
    <>
      <Saving name="goals" work={fail} />
      <Saving name="name" work={succeed} />
    </>,
  )
  await press('goals')
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to save.')
  await expect.element(form('goals')).toHaveTextContent('Failed to save.')
  const before = top('goals')
  await toastsGone()
  await expect.element(form('goals')).toHaveTextContent('Failed to save.')
  expect(top('goals')).toBe(before)
  await expect.element(form('name')).not.toHaveTextContent('Failed')
})

test('two forms that fail concurrently each keep their text, also when a third withdraws the toast', async () => {
  let failWeek = () => {}
  const inTime = new Promise<void>((resolve) => {
    failWeek = resolve
  })
  await render(
    <>
      <Saving name="week" work={() => inTime.then(fail)} />
      <Saving name="goals" work={fail} />
      <Saving name="name" work={succeed} />
    </>,
  )
  await press('week')
  await press('goals')
  await expect.element(form('goals').getByRole('button')).not.toHaveAttribute('aria-disabled')
  failWeek()
  await expect.element(form('week').getByRole('button')).not.toHaveAttribute('aria-disabled')
  await press('name')
  await expect.element(form('goals')).toHaveTextContent('Failed to save.')
  await expect.element(form('week')).toHaveTextContent('Failed to save.')
  await expect.element(form('name')).not.toHaveTextContent('Failed')
})

test('the next try removes the text, and the toast of the last one leaves none', async () => {
  const work = vi.fn(fail)
  await render(<Saving name="goals" work={work} />)
  await press('goals')
  await toastsGone()
  await expect.element(form('goals')).toHaveTextContent('Failed to save.')
  await press('goals')
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to save.')
  work.mockImplementation(succeed)
  await press('goals')
  await toastsGone()
  await expect.element(form('goals')).not.toHaveTextContent('Failed')
})

test('a failure of one line takes no room between the fields and the button of a form', async () => {
  const fields = (failure?: string) => (
    <form className="flex flex-col gap-4">
      <input aria-label="Email" />
      <FormError>{failure}</FormError>
      <div className="mt-2">
        <Button kind="primary">Sign In</Button>
      </div>
    </form>
  )
  const screen = await render(fields())
  const box = (name: 'textbox' | 'button') => page.getByRole(name).element().getBoundingClientRect()
  const before = box('button').top
  await screen.rerender(fields('Invalid login credentials'))
  const line = page.getByText('Invalid login credentials').element().getBoundingClientRect()
  expect(box('button').top).toBe(before)
  expect(line.top).toBeGreaterThanOrEqual(box('textbox').bottom)
  expect(line.bottom).toBeLessThanOrEqual(before)
})
