import { isLanguage, type Language } from '@deeb/core/languages'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { useIsFresh } from '../calls/use-is-fresh.ts'
import { LANGUAGE } from '../device/language.ts'
import { store } from '../device/store.ts'
import { useHome } from '../focus/day-queries.ts'
import { showIn } from './show-in.ts'

const FOLLOWED = 'deeb.language.followed'

/**
 * Shows the app in the language that the user has chosen on any device: immediately, but not while a form or a dialog is open. Then at the
 * next navigation.
 */
export function useFollowLanguage(): void {
  const home = useHome()
  const isFresh = useIsFresh(home)
  const chosen = home.data?.profile.language
  const [path] = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation leaves all forms.
  useEffect(() => {
    if (!isFresh || !isLanguage(chosen)) return
    if (chosen === LANGUAGE) sessionStorage.removeItem(FOLLOWED)
    else if (!isBusy() && isFirstTry(chosen)) showIn(chosen).catch(() => sessionStorage.removeItem(FOLLOWED))
  }, [isFresh, chosen, path])
}

function isBusy(): boolean {
  return document.querySelector('dialog[open], input:focus, textarea:focus, select:focus') !== null
}

/** Once per tab and language: a browser that keeps no cookie would reload forever. */
function isFirstTry(language: Language): boolean {
  if (sessionStorage.getItem(FOLLOWED) === language) return false
  return store('sessionStorage', FOLLOWED, language)
}
