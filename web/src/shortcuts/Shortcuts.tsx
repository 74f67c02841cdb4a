import { APP_PATHS, type AppPath } from '@deeb/core/paths'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { pressSwitch } from '../focus/use-switch-focus.ts'
import { ShortcutsDialog } from './ShortcutsDialog.tsx'
import { areShortcutsOn } from './shortcuts-setting.ts'

const PATHS: Record<string, AppPath> = {
  h: APP_PATHS.home,
  t: APP_PATHS.team,
  p: APP_PATHS.profile,
  s: APP_PATHS.settings,
}
const TYPING = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=spinbutton]'

/** Keyboard shortcuts of a signed-in user: `D` switches, `H` `T` `P` `S` open a screen, `?` shows all of them. */
export function Shortcuts({ userId }: { userId: string }) {
  const queryClient = useQueryClient()
  const [path, navigate] = useLocation()
  const [isHelpShown, setIsHelpShown] = useState(false)
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      if (!isMeantAsShortcut(event)) return
      const key = letterOf(event)
      if (key === '?') setIsHelpShown(true)
      if (!areShortcutsOn()) return
      const to = PATHS[key]
      if (key === 'd') pressSwitch(queryClient, userId)
      else if (to && to !== path) navigate(to)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [queryClient, userId, path, navigate])
  return isHelpShown ? <ShortcutsDialog onClose={() => setIsHelpShown(false)} /> : null
}

/** The lower-case character of a key. On a layout of another script, the Latin letter at its place. */
function letterOf({ key, code }: KeyboardEvent): string {
  const isOfOtherScript = /^(?!\p{sc=Latin})[\p{L}\p{M}]$/u.test(key)
  return (isOfOtherScript ? code.replace(/^Key/, '') : key).toLowerCase()
}

/** Not while typing, not with a modifier, not in a dialog, and only once for a key that is held down. */
function isMeantAsShortcut({ target, repeat, defaultPrevented, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (repeat || defaultPrevented || ctrlKey || metaKey || altKey) return false
  if (target instanceof Element && target.closest(TYPING)) return false
  return document.querySelector('dialog:modal') === null
}
