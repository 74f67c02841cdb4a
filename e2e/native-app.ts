import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { buildNativeCopy } from '../mobile/scripts/native-copy.js'

/** The origin of the web view of an Android app. */
export const ORIGIN = 'https://localhost'

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
}

/** The native plugins and the methods that the app calls, without the listeners. */
const PLUGINS: Record<string, string[]> = {
  SecureStorage: ['internalGetItem', 'internalSetItem', 'internalRemoveItem', 'internalClearItemsWithPrefix'],
  Preferences: ['get', 'set'],
  App: ['minimizeApp'],
  Network: [],
  Haptics: ['impact'],
  StatusBar: ['setStyle'],
  SplashScreen: ['hide'],
}

/** A fake device: the recorded plugin calls, and the stored values. */
export interface Device {
  calls: string[]
  keychain: Map<string, string>
  preferences: Map<string, string>
}

export const newDevice = (): Device => ({ calls: [], keychain: new Map(), preferences: new Map() })

/** Builds the native copy for a server into a temporary folder. `dispose` removes it. */
export async function nativeCopy(server: string) {
  const folder = await mkdtemp(join(tmpdir(), 'deeb-native-'))
  await buildNativeCopy(server, folder)
  return { folder, dispose: () => rm(folder, { recursive: true, force: true }) }
}

/** Makes the page a web view with the native copy in `folder` and a fake device. Like Capacitor, it serves index.html for every path. */
export async function runOn(page: Page, folder: string, device: Device): Promise<void> {
  await page.exposeFunction('nativeCall', (plugin: string, method: string, options: Record<string, string> | null) =>
    answer(device, `${plugin}.${method}`, options),
  )
  await page.addInitScript((plugins) => {
    const listeners = new Map<string, (event: object) => void>()
    const headers = Object.entries(plugins).map(([name, methods]) => ({
      name,
      methods: [
        ...methods.map((method) => ({ name: method, rtype: 'promise' })),
        { name: 'addListener', rtype: 'callback' },
      ],
    }))
    const nativeCallback = (
      plugin: string,
      _method: string,
      { eventName }: { eventName: string },
      listener: () => void,
    ) => {
      listeners.set(`${plugin}.${eventName}`, listener)
      return Promise.resolve(eventName)
    }
    Object.assign(window, {
      CapacitorCustomPlatform: { name: 'android', plugins: {} },
      Capacitor: { PluginHeaders: headers, nativePromise: Reflect.get(window, 'nativeCall'), nativeCallback },
      emitToApp: (event: string, data: object) => listeners.get(event)?.(data),
    })
  }, PLUGINS)
  await page.route(`${ORIGIN}/**`, async (route) => {
    const { pathname } = new URL(route.request().url())
    const name = extname(pathname) ? pathname : '/index.html'
    await route.fulfill({ body: await readFile(join(folder, name)), contentType: TYPES[extname(name)] ?? '' })
  })
}

/** Emits an event of a native plugin to the app. */
export async function emit(page: Page, event: string, data: object): Promise<void> {
  await page.evaluate(([name, what]) => Reflect.get(window, 'emitToApp')(name, what), [event, data] as const)
}

function answer(
  { calls, keychain, preferences }: Device,
  call: string,
  options: Record<string, string> | null,
): object {
  const { prefixedKey = '', data = '', key = '', value = '' } = options ?? {}
  switch (call) {
    case 'SecureStorage.internalGetItem':
      return { data: keychain.get(prefixedKey) ?? null }
    case 'SecureStorage.internalSetItem':
      keychain.set(prefixedKey, data)
      return {}
    case 'SecureStorage.internalRemoveItem':
      return { success: keychain.delete(prefixedKey) }
    case 'SecureStorage.internalClearItemsWithPrefix':
      keychain.clear()
      return {}
    case 'Preferences.get':
      return { value: preferences.get(key) ?? null }
    case 'Preferences.set':
      preferences.set(key, value)
      return {}
    default:
      calls.push(`${call} ${Object.values(options ?? {}).join(' ')}`.trim())
      return {}
  }
}
