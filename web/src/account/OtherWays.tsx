import { parseEmail } from '@deeb/core/account/email'
import * as texts from '@deeb/texts/otherWays'
import { useEffect, useRef } from 'react'
import { useSearch } from 'wouter'
import { Button, type ButtonKind } from '../ui/Button.tsx'
import { FormError } from '../ui/FormError.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { useBusy } from '../ui/use-busy.ts'
import type { AuthSettings } from './auth-queries.ts'
import { type Company, signInByCompany } from './company-sign-in.ts'
import { rememberWay, type SignInWay } from './last-way.ts'
import { signInWithPasskey, startPasskeyAutofill, stopPasskeyAutofill, useSupportsPasskeys } from './passkeys.ts'

/**
 * The button of the company in the address, such as `/app?company=acme.com` of a start page, of the only company of this server, or
 * of the last company of this browser.
 */
export function CompanyWay({ settings, last }: { settings: AuthSettings | undefined; last: SignInWay | undefined }) {
  const asked = domainIn(useSearch())
  const known = settings?.sso ?? (settings?.sso_enabled && last?.way === 'company' ? last : undefined)
  const isKnown = asked === known?.domain
  useBeginning(isKnown ? asked : undefined)
  const company = asked && !isKnown && settings?.sso_enabled ? { domain: asked, name: asked } : known
  if (!company) return null
  return (
    <div className="mb-6">
      <CompanyButton company={company} kind={last?.way === 'company' ? 'primary' : 'secondary'} />
    </div>
  )
}

/** The domain of `?company=`; undefined if there is none. */
function domainIn(search: string): string | undefined {
  return parseEmail(`a@${new URLSearchParams(search).get('company') ?? ''}`)?.slice(2)
}

/**
 * Begins the sign-in of a company without a press. Only for a company that this browser knows: the link of another one could sign its
 * reader in as somebody else (login CSRF).
 */
function useBeginning(domain: string | undefined): void {
  useEffect(() => {
    if (domain === undefined) return
    // Removed, or the back button would lead here and begin again.
    window.history.replaceState(window.history.state, '', window.location.pathname)
    void signInByCompany(domain)
  }, [domain])
}

/** The button of passkeys, which are offered in the autofill of the email field too. `isFirst`: it is the filled button. */
export function PasskeyWay({ isFirst }: { isFirst: boolean }) {
  const isSupported = useSupportsPasskeys()
  const [busy, run, failure] = useBusy()
  useEffect(() => {
    if (!isSupported) return
    void startPasskeyAutofill(rememberPasskey)
    return stopPasskeyAutofill
  }, [isSupported])
  if (!isSupported) return null
  async function signIn(): Promise<void> {
    if (await signInWithPasskey()) rememberPasskey()
    else void startPasskeyAutofill(rememberPasskey)
  }
  return (
    <div>
      <Button kind={isFirst ? 'primary' : 'secondary'} busy={busy} onClick={() => void run(signIn)}>
        {texts.byPasskey()}
      </Button>
      <FormError>{failure}</FormError>
    </div>
  )
}

function rememberPasskey(): void {
  rememberWay({ way: 'passkey' })
}

/** Shown for an address whose company has its own sign-in page, and allows passwords too. */
export function CompanyOffer({ company, onPassword }: { company: Company; onPassword: () => void }) {
  const ref = useRef<HTMLParagraphElement>(null)
  // The button that had the focus has disappeared.
  useEffect(() => ref.current?.focus(), [])
  return (
    <div>
      <p ref={ref} tabIndex={-1} className="mb-3 text-body text-pretty text-soft wrap-anywhere outline-none">
        {texts.companyOffer({ domain: company.domain, company: company.name })}
      </p>
      <CompanyButton company={company} kind="primary" />
      <TextButton tone="soft" onClick={onPassword}>
        {texts.byPassword()}
      </TextButton>
    </div>
  )
}

/** A button that leads to the sign-in page of a company. */
function CompanyButton({ company, kind }: { company: Pick<Company, 'domain' | 'name'>; kind: ButtonKind }) {
  const [busy, run, failure] = useBusy()
  return (
    <div>
      <Button kind={kind} busy={busy} onClick={() => void run(() => signInByCompany(company.domain))}>
        {texts.continueWith({ company: company.name })}
      </Button>
      <FormError>{failure}</FormError>
    </div>
  )
}
