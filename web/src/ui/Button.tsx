import type { ComponentPropsWithRef, MouseEvent } from 'react'

export type ButtonKind = 'primary' | 'secondary' | 'destructive'
export type ButtonSize = 'page' | 'list'

type ButtonProps = Omit<ComponentPropsWithRef<'button'>, 'className' | 'style'> & {
  kind: ButtonKind
  /** `page` fills its container and is 52 px high. `list` is as wide as its text and 44 px high. */
  size?: ButtonSize
  /** Looks disabled and ignores presses, but keeps the keyboard focus. */
  busy?: boolean | undefined
}

/* A fixed radius: `rounded-full` makes an oval of a button with several lines. */
const SHAPE = 'items-center justify-center rounded-[1.625rem] text-center select-none forced-colors:border'

const SIZE: Record<ButtonSize, string> = {
  page: 'flex w-full min-h-13 px-4 py-2 text-button',
  list: 'inline-flex min-h-11 px-5 py-2 text-button-small',
}

const KIND: Record<ButtonKind, string> = {
  primary: 'bg-ink text-ground hover:bg-ink/88 active:bg-ink/80',
  secondary: 'text-ink hover:bg-well active:bg-line',
  destructive: 'text-destructive hover:bg-well active:bg-line',
}

/* Inset rings, since browsers round a border of 1.5 px to 1 or 2. Forced colors hide rings and show the border of SHAPE. */
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

const DISABLED = 'bg-line text-soft'

/** A button. Use one `primary` per group; the caller changes the text while busy. */
export function Button({ kind, size = 'page', busy = false, type = 'button', onClick, ...rest }: ButtonProps) {
  const looksDisabled = busy || rest.disabled
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    // Also prevents a submit: Enter in a field arrives here as a click.
    if (busy) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={busy || undefined}
      onClick={press}
      className={looksDisabled ? `${SHAPE} ${SIZE[size]} ${DISABLED}` : buttonLook(kind, size)}
    />
  )
}

/** The classes of a button, for a link that looks like one. */
export function buttonLook(kind: ButtonKind, size: ButtonSize = 'page'): string {
  return `${SHAPE} ${SIZE[size]} ${KIND[kind]} ${LINE[size][kind]}`
}
