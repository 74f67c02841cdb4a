import { APP_PATHS } from '@deeb/core/paths'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useLightLook } from '../look.ts'
import { Logo } from '../ui/Logo.tsx'
import { ScreenHeading } from '../ui/ScreenHeading.tsx'
import { TextLink } from '../ui/TextLink.tsx'
import { useTitle } from '../ui/use-title.ts'

/** The frame of the signed-out screens: the logo over the whole column, and a form below it. */
export function AccountPage({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title)
  useLightLook()
  return (
    <main className="toasts-on-top column flex min-h-dvh flex-col pt-[max(1.5rem,env(safe-area-inset-top))] pb-[max(2rem,env(safe-area-inset-bottom))]">
      <div className="grid min-h-30 flex-1 place-items-center py-6">
        <Logo plugs="in" className="h-auto w-full" />
      </div>
      <ScreenHeading className="text-title">{title}</ScreenHeading>
      <div className="mt-4">{children}</div>
    </main>
  )
}

export function BackToSignIn() {
  return (
    <p className="mt-4">
      <Link href={APP_PATHS.signIn} asChild>
        <TextLink>Back to Sign In</TextLink>
      </Link>
    </p>
  )
}
