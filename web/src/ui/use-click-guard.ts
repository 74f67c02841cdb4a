import { useEffect, useState } from 'react'

const GUARD_MS = 1000

/**
 * Whether a question has just appeared, and must not be answered yet. Against clickjacking: the second click of a double click on another
 * page would land on its button.
 */
export function useClickGuard(isShown: boolean): boolean {
  const [isGuarded, setIsGuarded] = useState(true)
  useEffect(() => {
    if (!isShown) return
    const timer = setTimeout(() => setIsGuarded(false), GUARD_MS)
    return () => clearTimeout(timer)
  }, [isShown])
  return isGuarded
}
