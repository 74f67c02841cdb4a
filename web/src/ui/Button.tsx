import type { ComponentPropsWithRef, MouseEvent } from 'react'

export type ButtonKind = 'primary' | 'secondary' | 'destructive'
export type ButtonSize = 'page' | 'list'

type ButtonProps = Omit<ComponentPropsWithRef<'button'>, 'className' | 'style'> & {
  kind: ButtonKind
  /** `page` is as wide as its place and 52 high; `list` as wide as its words and 44 high. */
  size?: ButtonSize
  /** Looks disabled and ignores presses, but keeps the focus, so that the keyboard does not lose its place. */
  busy?: boolean | undefined
}

const SHAPE = 'items-center justify-center rounded-full text-center select-none forced-colors:border'

const SIZE: Record<ButtonSize, string> = {
  page: 'flex w-full min-h-13 px-4 py-2 text-button',
  list: 'inline-flex min-h-11 px-5 py-2 text-button-small',
}

const KIND: Record<ButtonKind, string> = {
  primary: 'bg-ink text-ground hover:bg-ink/88 active:bg-ink/80',
  secondary: 'text-ink hover:bg-well active:bg-line',
  destructive: 'text-destructive hover:bg-well active:bg-line',
}

/* Drawn inwards, not as borders: a border of 1.5 is cut to 1 or 2 on many screens. High contrast shows borders only. */
const LINE: Record<ButtonSize, Record<ButtonKind, string>> = {
  page: {
    primary: '',
    secondary: 'inset-ring-[1.5px] inset-ring-ink',
    destructive: 'inset-ring-[1.5px] inset-ring-destructive',
  },
  list: {
    primary: '',
    secondary: 'inset-ring inset-ring-edge',
    destructive: 'inset-ring inset-ring-destructive',
  },
}

const AWAY = 'bg-line text-soft'

/** One filled (`primary`) button per group. The words while busy are the caller's. */
export function Button({ kind, size = 'page', busy = false, type = 'button', onClick, ...rest }: ButtonProps) {
  const away = busy || rest.disabled
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    // Stops the form too: a press of Enter in a field arrives here as a click.
    if (busy) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={busy || undefined}
      onClick={press}
      className={away ? `${SHAPE} ${SIZE[size]} ${AWAY}` : buttonLook(kind, size)}
    />
  )
}

/** The same look for a link that reads as a button. */
export function buttonLook(kind: ButtonKind, size: ButtonSize = 'page'): string {
  return `${SHAPE} ${SIZE[size]} ${KIND[kind]} ${LINE[size][kind]}`
}
