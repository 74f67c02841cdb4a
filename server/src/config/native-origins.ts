import type { Config } from './config.ts'

/** The origins of the web views of the native apps. */
const ANDROID_ORIGIN = 'https://localhost'
const IOS_ORIGIN = 'capacitor://localhost'

export type NativeApp = 'android' | 'ios'

/** The native app of this server that sends requests with this `Origin`; null if there is none. */
export function nativeAppOf(
  origin: string | undefined,
  { androidApp, iosAppId }: Pick<Config, 'androidApp' | 'iosAppId'>,
): NativeApp | null {
  if (origin === ANDROID_ORIGIN && androidApp) return 'android'
  return origin === IOS_ORIGIN && iosAppId ? 'ios' : null
}
