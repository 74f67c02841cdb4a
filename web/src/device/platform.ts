declare global {
  /** Defined by the build. */
  const __APP_VERSION__: string
  /** Defined by the build: the origin of the server of a native copy. Empty on the web, where requests are same-origin. */
  const __SERVER__: string
}

type Platform = 'web' | 'ios' | 'android'

/** Globals that Capacitor sets before any of our scripts. `CapacitorCustomPlatform` makes a browser simulate a native app. */
interface NativeMarks {
  Capacitor?: { getPlatform?(): Platform }
  CapacitorCustomPlatform?: { name: Platform }
}

const { Capacitor, CapacitorCustomPlatform } = window as NativeMarks

/** Read from Capacitor's globals, so that browsers need not load its library. */
const PLATFORM = CapacitorCustomPlatform?.name ?? Capacitor?.getPlatform?.() ?? 'web'

export const IS_NATIVE = PLATFORM !== 'web'

/** The prefix of every request URL. */
export const SERVER = __SERVER__

/** The `x-client-info` header of every request: the platform and the version. */
export const CLIENT_INFO = `deeb-${PLATFORM}/${__APP_VERSION__}`
