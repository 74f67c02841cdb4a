import { Fragment, type ReactNode } from 'react'

type PersonRowProps = {
  name: string
  email: string
  /** After the address. */
  note?: string | undefined
  /** In deeb mode: a green ring around the initial. */
  plugged?: boolean | undefined
  /** The end: a text or a button. Without room beside the name, it is below the name. */
  children?: ReactNode
}

/** Initial, name and address of a person, 64 px high. */
export function PersonRow({ name, email, note, plugged = false, children }: PersonRowProps) {
  return (
    <span className="person-row flex min-h-16 w-full items-center gap-[12px] py-2 text-start">
      <span className="person-initial" data-plugged={plugged || undefined} aria-hidden="true">
        {[...name][0]?.toUpperCase()}
      </span>
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 flex-1 basis-32 wrap-anywhere">
          <span className="block text-name" translate="no">
            {name}
          </span>
          <span className="block text-note text-soft">
            <BreakableEmail email={email} />
            {note ? (
              <>
                <span className="person-separator">{' ·\u00a0'}</span>
                <span className="person-note">{note}</span>
              </>
            ) : null}
          </span>
        </span>
        {children}
      </span>
    </span>
  )
}

/** An address or a domain that may wrap before its `@`. No browser translates it. */
export function BreakableEmail({ email }: { email: string }) {
  return (
    <span translate="no">
      {email.split(/(?=@)/).map((part) => (
        <Fragment key={part}>
          <wbr />
          {part}
        </Fragment>
      ))}
    </span>
  )
}

/** The address from its `@` on. */
export function domainOf(email = ''): string {
  return email.slice(email.lastIndexOf('@'))
}

/** The address, without its domain if all that are shown have the same. */
export function shortEmail(email: string, hasDomain: boolean): string {
  return hasDomain ? email : email.slice(0, -domainOf(email).length)
}
