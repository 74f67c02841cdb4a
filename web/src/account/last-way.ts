import { store } from '../device/store.ts'

const KEY = 'deeb.last-sign-in'

/** How somebody last signed in with this browser. No account is stored: the next person may be another one. */
export type SignInWay = { way: 'password' } | { way: 'passkey' } | { way: 'company'; domain: string; name: string }

/** Remembers how this browser signed in, so that Sign In offers it first. Without storage, it is forgotten. */
export function rememberWay(way: SignInWay): void {
  store('localStorage', KEY, JSON.stringify(way))
}

/** How this browser last signed in; undefined if it never did. */
export function lastWay(): SignInWay | undefined {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? 'null') as SignInWay | null) ?? undefined
  } catch {
    return undefined
  }
}
