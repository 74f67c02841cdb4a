import { KeychainAccess, SecureStorage } from '@aparajita/capacitor-secure-storage'
import { Preferences } from '@capacitor/preferences'

/** Set in the preferences, which are deleted with the app. */
const INSTALLED_KEY = 'was-here'

interface Bridge {
  Capacitor?: { PluginHeaders?: { name: string }[] }
  CapacitorCustomPlatform?: object
}

/** Whether a browser simulates a native app, as in tests. It has no secure storage and uses local storage. */
function isSimulated(): boolean {
  const { Capacitor, CapacitorCustomPlatform } = window as Bridge
  const isThere = Capacitor?.PluginHeaders?.some(({ name }) => name === 'SecureStorage')
  return CapacitorCustomPlatform !== undefined && !isThere
}

/**
 * Token storage in the Keychain of iOS and the Keystore of Android. It is encrypted, not in backups, and readable only by this
 * app while this device is unlocked.
 */
const secure = {
  async getItem(key: string) {
    await isReady
    // Tokens that cannot be decrypted, as after a change of the lock screen, count as signed out.
    return SecureStorage.getItem(key).catch(() => null)
  },
  async setItem(key: string, value: string) {
    await isReady
    await SecureStorage.setItem(key, value)
  },
  async removeItem(key: string) {
    await isReady
    await SecureStorage.removeItem(key)
  },
}

export const secureTokens = isSimulated() ? window.localStorage : secure

const isReady = isSimulated() ? Promise.resolve() : prepare()

async function prepare(): Promise<void> {
  await SecureStorage.setKeyPrefix('deeb_')
  await SecureStorage.setSynchronize(false)
  await SecureStorage.setDefaultKeychainAccess(KeychainAccess.whenUnlockedThisDeviceOnly)
  // The Keychain survives an uninstall. A new installation must not sign in as the previous user.
  const { value } = await Preferences.get({ key: INSTALLED_KEY })
  if (value === null) await SecureStorage.clear()
  await Preferences.set({ key: INSTALLED_KEY, value: 'yes' })
}
