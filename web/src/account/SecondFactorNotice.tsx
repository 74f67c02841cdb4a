import { readSignIn } from '@deeb/core/account/api'
import { APP_PATHS } from '@deeb/core/paths'
import { useEffect } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { api } from '../api.ts'
import { dateText, noonOf } from '../local-time.ts'
import { showToast } from '../ui/toast.ts'

/** In local storage: the day of the last question to the server, and the day in the notice that was shown. */
const KEY = 'deeb.second-factor-notice'

/** Shows once from when the company of the user requires a second factor. Settings says it at any time. Asks the server once a day. */
export default function SecondFactorNotice() {
  useEffect(() => {
    // Without an answer, the next visit asks again.
    tell().catch(() => undefined)
  }, [])
  return null
}

async function tell(): Promise<void> {
  const [askedOn, told] = (localStorage.getItem(KEY) ?? '').split(' ')
  const today = new Date().toDateString().replaceAll(' ', '-')
  if (askedOn === today) return
  const { secondFactor } = await api(readSignIn, {})
  const day = secondFactor?.requiredFrom
  localStorage.setItem(KEY, `${today} ${day ?? ''}`)
  if (!day || day === told) return
  showToast({
    title: 'Add a second factor',
    description: `Your company requires one from ${dateText(noonOf(day))}.`,
    tone: 'success',
    action: {
      label: 'Set it up',
      onPress: () => navigate(APP_PATHS.signInSettings),
    },
  })
}
