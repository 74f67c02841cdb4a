import { APP_PATHS } from '@deeb/core/paths'
import * as texts from '@deeb/texts/otherWays'
import { navigate } from 'wouter/use-browser-location'
import { store } from '../device/store.ts'
import { authClient } from '../session/auth-session.ts'
import { showToast } from '../ui/toast.ts'
import { readSettings } from './auth-queries.ts'

const KEY = 'deeb.passkey-offered'

/**
 * Offers a passkey after a sign-in with a password, once in a browser: where its device can make one and the account has none. Settings
 * has the same at any time.
 */
export async function offerPasskey(): Promise<void> {
  if (localStorage.getItem(KEY) !== null) return
  const canMake = await window.PublicKeyCredential?.isUserVerifyingPlatformAuthenticatorAvailable()
  if (!canMake || !(await readSettings()).passkeys_enabled) return
  const { data } = await (await authClient()).mfa.getAuthenticatorAssuranceLevel()
  if (data?.currentLevel !== data?.nextLevel) return
  const { data: passkeys } = await (await authClient()).passkey.list()
  if (passkeys?.length !== 0) return
  if (!store('localStorage', KEY, 'yes')) return
  showToast({
    title: texts.fasterNextTime(),
    description: texts.noPasswordNeeded(),
    tone: 'success',
    action: { label: texts.addPasskey(), onPress: () => navigate(APP_PATHS.signInSettings) },
  })
}
