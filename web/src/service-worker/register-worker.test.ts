import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { registerWorker } from './register-worker.ts'

const update = () => page.getByRole('button', { name: 'Update' })

/** A version of the app, as far as it has come. */
class Version extends EventTarget {
  readonly told: unknown[] = []
  state: ServiceWorkerState = 'installing'
  become(state: ServiceWorkerState): void {
    this.state = state
    this.dispatchEvent(new Event('statechange'))
  }
  postMessage(message: unknown): void {
    this.told.push(message)
  }
}

/** Opens the app where the browser has these versions of it, and hands out what `updatefound` is heard at. */
async function openApp(versions: { installing: Version; active: Version | null }): Promise<EventTarget> {
  const registration = Object.assign(new EventTarget(), { ...versions, waiting: null, update: async () => undefined })
  const workers = navigator.serviceWorker
  vi.spyOn(workers, 'register').mockResolvedValue(registration as unknown as ServiceWorkerRegistration)
  vi.spyOn(workers, 'getRegistration').mockResolvedValue(registration as unknown as ServiceWorkerRegistration)
  await registerWorker()
  vi.restoreAllMocks()
  return registration
}

test('the first version is not offered: it replaces nothing', async () => {
  const first = new Version()
  const registration = await openApp({ installing: first, active: null })
  registration.dispatchEvent(new Event('updatefound'))
  first.become('installed')
  await new Promise(requestAnimationFrame)
  await expect.element(update()).not.toBeInTheDocument()
})

test('a new version that was coming before the page looked is offered once it is here', async () => {
  const coming = new Version()
  await openApp({ installing: coming, active: new Version() })
  await new Promise(requestAnimationFrame)
  await expect.element(update()).not.toBeInTheDocument()
  coming.become('installed')
  await update().click()
  expect(coming.told).toEqual([{ type: 'SKIP_WAITING' }])
})
