import { APP_PATHS, SITE_PATHS } from '@deeb/core/paths'
import * as texts from '@deeb/texts/signIn'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { lazyPart } from '../device/lazy-part.tsx'
import { useLightLook } from '../device/look.ts'
import { IS_NATIVE } from '../device/platform.ts'
import { Logo } from '../ui/Logo.tsx'
import { ScreenHeading } from '../ui/ScreenHeading.tsx'
import { TextLink } from '../ui/TextLink.tsx'
import { useTitle } from '../ui/use-title.ts'

const LanguageChoice = lazyPart(() => import('../language/LanguageChoice.tsx'))

interface AccountPageProps {
  /** Above the title: the beginning of its sentence. Its page is longer, so the logo is small. */
  lead?: string
  title: string
  children: ReactNode
}

/**
 * The frame of the signed-out screens. On a phone the logo is over the whole column, and a form below it; on a low phone it is
 * small, in the corner. With room for two columns the form is beside the logo and a sentence about deeb.
 */
export function AccountPage({ lead, title, children }: AccountPageProps) {
  useTitle(title)
  useLightLook()
  return (
    <main className="toasts-on-top column relative flex min-h-dvh flex-col pt-[max(1.5rem,env(safe-area-inset-top))] pb-[max(2rem,env(safe-area-inset-bottom))] wide:frame wide:grid wide:grid-cols-[1fr_min(26rem,45%)] wide:gap-x-[10%] lg:items-center">
      <div>
        <ScreenHeading className="text-title wrap-anywhere">
          {lead ? <span className="block text-body text-soft">{`${lead} `}</span> : null}
          <span>{title}</span>
        </ScreenHeading>
        <div className="mt-4">{children}</div>
        <div className="mt-6 border-t border-line">
          {/* The height of the choice, so that nothing moves when it is loaded. */}
          <div className="min-h-13">
            <LanguageChoice />
          </div>
        </div>
      </div>
      {/* After the form, so that the keyboard reaches the form first. */}
      <div className="-order-1 grid flex-1 content-center pt-8 pb-6 low:pt-2 short:flex-none short:pt-0">
        <Logo
          plugs="in"
          className={`account-logo h-auto w-full short:ms-auto short:max-w-20 ${lead ? 'max-w-46 wide:max-w-none' : 'low:max-w-46'}`}
        />
        <p
          className={`mt-6 hidden text-body text-pretty lg:mt-10 lg:text-status-wide wide:block ${lead ? '' : 'tall:block'}`}
        >
          {texts.pitch()}
        </p>
        {IS_NATIVE ? null : <AboutDeeb />}
      </div>
    </main>
  )
}

/** A native app has no public pages. */
function AboutDeeb() {
  return (
    <p className="absolute top-[max(0.5rem,env(safe-area-inset-top))] start-[24px] wide:static wide:mt-4">
      <TextLink href={SITE_PATHS.home} tone="soft">
        {texts.aboutDeeb()}
      </TextLink>
    </p>
  )
}

/** The ref of the field with which a page begins. With a finger it gets no focus: the keyboard would cover what is below. */
export function focusFirst(field: HTMLInputElement | null): void {
  if (matchMedia('(pointer: fine)').matches) field?.focus()
}

export function BackToSignIn() {
  return (
    <p className="mt-4">
      <Link href={APP_PATHS.signIn} asChild>
        <TextLink>{texts.backToSignIn()}</TextLink>
      </Link>
    </p>
  )
}
