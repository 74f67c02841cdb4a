import { useCallback, useEffect, useState } from 'react'

/** The fragment that the shortcut "Switch on" of the manifest opens. */
const FRAGMENT = '#switch-on'

/** Whether the URL asked to switch on, until it is answered. Removes the fragment, so that a reload does not ask again. */
export function useSwitchOnAsked(): { isAsked: boolean; answer: () => void } {
  const [isAsked, setIsAsked] = useState(false)
  useEffect(() => {
    function readFragment(): void {
      if (window.location.hash !== FRAGMENT) return
      window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search)
      setIsAsked(true)
    }
    readFragment()
    // The app may be open already.
    window.addEventListener('hashchange', readFragment)
    return () => window.removeEventListener('hashchange', readFragment)
  }, [])
  return { isAsked, answer: useCallback(() => setIsAsked(false), []) }
}
