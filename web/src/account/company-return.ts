import { useSyncExternalStore } from 'react'

/** The answer of the sign-in page of the company. It is in the fragment, so that no log contains it. */
export interface CompanyReturn {
  code: string | null
  /** Names the code verifier of this sign-in. */
  flowId: string | null
  errorCode: string | null
  /** The platform of the native app that began it; null for this browser. */
  app: 'android' | 'ios' | null
  /** The whole fragment, for the native app. */
  fragment: string
}

const listeners = new Set<() => void>()

let returned = takeReturn()
window.addEventListener('hashchange', () => {
  const next = takeReturn()
  if (!next) return
  returned = next
  for (const listener of listeners) listener()
})

/** Reads the answer from the address bar and removes it there. Null if there is none. */
function takeReturn(): CompanyReturn | null {
  const fragment = window.location.hash.slice(1)
  const values = new URLSearchParams(fragment)
  const [code, errorCode] = [values.get('code'), values.get('error_code')]
  if (code === null && errorCode === null) return null
  window.history.replaceState(window.history.state, '', window.location.pathname)
  const app = values.get('app')
  const isKnownApp = app === 'android' || app === 'ios'
  return { code, flowId: values.get('sb_flow_id'), errorCode, app: isKnownApp ? app : null, fragment }
}

/** The answer that opened this page, or null. Follows one that arrives later, as in a native app. */
export function useCompanyReturn(): CompanyReturn | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => returned,
  )
}
