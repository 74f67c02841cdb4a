declare global {
  /** Put in by the build. */
  const __APP_VERSION__: string
  /** Put in by the build: the origin of the one server of a native copy. Empty on the web, whose pages come from it. */
  const __SERVER__: string
}

type Platform = 'web' | 'ios' | 'android'

/** What Capacitor puts there before any script of ours, and the mark by which a browser is told to pass for native. */
interface NativeMarks {
  Capacitor?: { getPlatform?(): Platform }
  CapacitorCustomPlatform?: { name: Platform }
}

const { Capacitor, CapacitorCustomPlatform } = window as NativeMarks

/** By Capacitor's mark, so that a browser need not load its library to learn that it is none of its own. */
const PLATFORM = CapacitorCustomPlatform?.name ?? Capacitor?.getPlatform?.() ?? 'web'

export const IS_NATIVE = PLATFORM !== 'web'

/** What every request begins with. */
export const SERVER = __SERVER__

/** What every request says of the program that sent it. */
export const CLIENT_INFO = `deeb-${PLATFORM}/${__APP_VERSION__}`
