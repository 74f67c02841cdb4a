import type { KeyboardEvent } from 'react'

/** Moves the focus between the buttons of a list or grid with the arrow keys, Home and End. For a roving tabindex. */
export function moveFocus(event: KeyboardEvent<HTMLButtonElement>): void {
  const buttons = [...(event.currentTarget.closest('ul')?.querySelectorAll('button') ?? [])]
  const here = buttons.indexOf(event.currentTarget)
  const targets: Record<string, number> = {
    ArrowLeft: here - 1,
    ArrowRight: here + 1,
    ArrowUp: here - buttonsInRow(buttons),
    ArrowDown: here + buttonsInRow(buttons),
    Home: 0,
    End: buttons.length - 1,
  }
  const target = buttons[targets[event.key] ?? -1]
  if (!target || event.altKey || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  target.focus()
}

function buttonsInRow(buttons: HTMLButtonElement[]): number {
  const [top] = buttons.map(topOf)
  return buttons.filter((button) => topOf(button) === top).length
}

function topOf(button: HTMLButtonElement): number {
  return Math.round(button.getBoundingClientRect().top)
}
