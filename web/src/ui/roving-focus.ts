import type { KeyboardEvent } from 'react'

/** Moves the focus between the buttons of a list or grid with the arrow keys, Home and End. For a roving tabindex. */
export function moveFocus(event: KeyboardEvent<HTMLButtonElement>): void {
  const buttons = [...(event.currentTarget.closest('ul')?.querySelectorAll('button') ?? [])]
  const here = buttons.indexOf(event.currentTarget)
  const columns = columnsOf(buttons)
  const targets: Record<string, number> = {
    ArrowLeft: here - 1,
    ArrowRight: here + 1,
    ArrowUp: here - columns,
    ArrowDown: here + columns,
    Home: 0,
    End: buttons.length - 1,
  }
  const target = buttons[targets[event.key] ?? -1]
  if (!target || event.altKey || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  target.focus()
}

/** The number of buttons in the first row. */
function columnsOf(buttons: HTMLButtonElement[]): number {
  const tops = buttons.map(topOf)
  return tops.filter((top) => top === tops[0]).length
}

function topOf(button: HTMLButtonElement): number {
  return Math.round(button.getBoundingClientRect().top)
}
