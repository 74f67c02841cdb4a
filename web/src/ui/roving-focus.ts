import type { KeyboardEvent } from 'react'

/** Moves the focus between the buttons of a list with the arrow keys, Home and End. For a roving tabindex. */
export function moveFocus(event: KeyboardEvent<HTMLButtonElement>): void {
  const buttons = [...(event.currentTarget.closest('ul')?.querySelectorAll('button') ?? [])]
  const here = buttons.indexOf(event.currentTarget)
  const targets: Record<string, number> = {
    ArrowLeft: here - 1,
    ArrowRight: here + 1,
    Home: 0,
    End: buttons.length - 1,
  }
  const target = targets[event.key]
  if (target === undefined || event.altKey || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  buttons[target]?.focus()
}
