import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { registerWorker } from './register-worker.ts'

const update = () => page.getByRole('button', { name: 'Update' })

/** A service worker of one version of the app, in a state that the test sets. */
class Version extends EventTarget {
  readonly received: unknown[] = []
  state: ServiceWorkerState = 'installing'
  become(state: ServiceWorkerState): void {
    this.state = state
    this.dispatchEvent(new Event('statechange'))
  }
  postMessage(message: unknown): void {
    this.received.push(message)
  }
}

/** Opens the app in a browser with these versions of it. Returns the registration, to dispatch `updatefound` on. */
async function openApp(versions: { installing: Version; active: Version | null }): Promise<EventTarget> {
  const registration = Object.assign(new EventTarget(), { ...versions, waiting: null, update: async () => undefined })
  const workers = navigator.serviceWorker
  vi.spyOn(workers, 'register').mockResolvedValue(registration as unknown as ServiceWorkerRegistration)
  vi.spyOn(workers, 'getRegistration').mockResolvedValue(registration as unknown as ServiceWorkerRegistration)
  await registerWorker()
  vi.restoreAllMocks()
  return registration
}

test('the first version is not offered as an update', async () => {
  const first = new Version()
  const registration = await openApp({ installing: first, active: null })
  registration.dispatchEvent(new Event('updatefound'))
  first.become('installed')
  await new Promise(requestAnimationFrame)
  await expect.element(update()).not.toBeInTheDocument()
})

test('an update that was installing before the page loaded is offered once it is installed', async () => {
  const installing = new Version()
  await openApp({ installing, active: new Version() })
  await new Promise(requestAnimationFrame)
  await expect.element(update()).not.toBeInTheDocument()
  installing.become('installed')
  await update().click()
  expect(installing.received).toEqual([{ type: 'SKIP_WAITING' }])
})
