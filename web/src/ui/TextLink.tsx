import type { ComponentPropsWithRef } from 'react'

type LinkTone = 'ink' | 'soft' | 'destructive'

const TONE: Record<LinkTone, string> = { ink: 'text-ink', soft: 'text-soft', destructive: 'text-destructive' }

const LOOK =
  'inline-flex min-h-11 items-center text-start text-body underline decoration-1 underline-offset-4 [text-decoration-skip-ink:none] ' +
  'rounded-bar hover:decoration-2'

type TextLinkProps = Omit<ComponentPropsWithRef<'a'>, 'className' | 'style'> & { tone?: LinkTone }

/** A link, 44 px high to touch. With the router: `<Link href="/app" asChild><TextLink>..</TextLink></Link>`. */
export function TextLink({ tone = 'ink', ...anchor }: TextLinkProps) {
  return <a {...anchor} className={`${LOOK} ${TONE[tone]}`} />
}

type TextButtonProps = Omit<ComponentPropsWithRef<'button'>, 'className' | 'style'> & { tone?: LinkTone }

/** A button that looks like a link: `Try again`, `Delete account`. */
export function TextButton({ tone = 'ink', type = 'button', ...button }: TextButtonProps) {
  return <button {...button} type={type} className={`${LOOK} ${TONE[tone]}`} />
}
