import { readSignIn } from '@deeb/core/account/api'
import { APP_PATHS } from '@deeb/core/paths'
import * as texts from '@deeb/texts/settings'
import { useEffect } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { api } from '../calls/api.ts'
import { dateText, noonOf } from '../device/local-date.ts'
import { store } from '../device/store.ts'
import { showToast } from '../ui/toast.ts'

/** Shows once from when the company of the user requires a second factor. Settings says it at any time. Asks the server once a day. */
export default function SecondFactorNotice({ storageKey }: { storageKey: string }) {
  useEffect(() => {
    // Without an answer, the next visit asks again.
    tell(storageKey).catch(() => undefined)
  }, [storageKey])
  return null
}

/** Stores the day of the last question to the server, and the day in the notice that was shown. */
async function tell(storageKey: string): Promise<void> {
  const [askedOn, told] = (localStorage.getItem(storageKey) ?? '').split(' ')
  const today = new Date().toDateString().replaceAll(' ', '-')
  if (askedOn === today) return
  const { secondFactor } = await api(readSignIn, {})
  const day = secondFactor?.requiredFrom
  store('localStorage', storageKey, `${today} ${day ?? ''}`)
  if (!day || day === told) return
  showToast({
    title: texts.addSecondFactor(),
    description: texts.companyRequiresFrom({ date: dateText(noonOf(day)) }),
    tone: 'success',
    action: {
      label: texts.setUp(),
      onPress: () => navigate(APP_PATHS.signInSettings),
    },
  })
}
