import { KeychainAccess, SecureStorage } from '@aparajita/capacitor-secure-storage'
import { Preferences } from '@capacitor/preferences'
import type { TokenStorage } from '../token-storage.ts'

const WAS_HERE = 'was-here'

interface Bridge {
  Capacitor?: { PluginHeaders?: { name: string }[] }
  CapacitorCustomPlatform?: object
}

/** A browser that is told to pass for native has no such storage, and keeps tokens where browsers do. No device is told. */
function onlyPassesForNative(): boolean {
  const { Capacitor, CapacitorCustomPlatform } = window as Bridge
  const isThere = Capacitor?.PluginHeaders?.some(({ name }) => name === 'SecureStorage')
  return CapacitorCustomPlatform !== undefined && !isThere
}

/**
 * The Keychain of iOS and the Keystore of Android, for tokens: encrypted, readable by this app on this device alone and
 * only while it is unlocked, and in no backup.
 */
const secure: TokenStorage = {
  async getItem(key) {
    await isReady
    // What cannot be decrypted any more, after a new lock screen for one, is as good as signed out.
    return SecureStorage.getItem(key).catch(() => null)
  },
  async setItem(key, value) {
    await isReady
    await SecureStorage.setItem(key, value)
  },
  async removeItem(key) {
    await isReady
    await SecureStorage.removeItem(key)
  },
}

export const secureTokens: TokenStorage = onlyPassesForNative() ? window.localStorage : secure

const isReady = onlyPassesForNative() ? Promise.resolve() : prepare()

async function prepare(): Promise<void> {
  await SecureStorage.setKeyPrefix('deeb_')
  await SecureStorage.setSynchronize(false)
  await SecureStorage.setDefaultKeychainAccess(KeychainAccess.whenUnlockedThisDeviceOnly)
  // The Keychain outlives the app: who installs it anew must not be signed in as whoever had it before.
  const { value } = await Preferences.get({ key: WAS_HERE })
  if (value === null) await SecureStorage.clear()
  await Preferences.set({ key: WAS_HERE, value: 'yes' })
}
