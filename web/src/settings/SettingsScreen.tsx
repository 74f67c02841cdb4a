import { APP_PATHS } from '@deeb/core/paths'
import { settingsPath } from '@deeb/core/settings-parts'
import * as texts from '@deeb/texts/settings'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { AccountActions } from '../account/AccountActions.tsx'
import { LanguageSetting } from '../account/LanguageSetting.tsx'
import { ProfileDetails } from '../account/ProfileDetails.tsx'
import { RequestEmails } from '../account/RequestEmails.tsx'
import { SignOutButton } from '../account/SignOutButton.tsx'
import { useSignInInfo } from '../account/sign-in-queries.ts'
import { enteredFrom } from '../device/history.ts'
import { lazyPart } from '../device/lazy-part.tsx'
import { dateText, noonOf } from '../device/local-date.ts'
import { useHome } from '../focus/day-queries.ts'
import { useSwitchFocus } from '../focus/use-switch-focus.ts'
import { AppFrame } from '../frame/AppFrame.tsx'
import { useScreenTitle } from '../frame/use-screen-title.ts'
import { CountMeIn } from '../report/CountMeIn.tsx'
import { EndSignalSettings } from '../sessions/EndSignalSettings.tsx'
import { ForgottenQuestion } from '../sessions/FocusFrame.tsx'
import { ShortcutsDialog } from '../shortcuts/ShortcutsDialog.tsx'
import { useHasCompanyPage } from '../stats/company-page.ts'
import { ChevronRight } from '../ui/icons.tsx'
import { ScreenHeading } from '../ui/ScreenHeading.tsx'
import { Switch } from '../ui/Switch.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { useMediaQuery } from '../ui/use-media-query.ts'
import { SETTINGS_ROWS } from './settings-parts.tsx'

const PushSettings = lazyPart(() => import('../push/PushSettings.tsx'))

export default function SettingsScreen() {
  const { data: home, isError, refetch } = useHome()
  const { isOn, pressSwitch } = useSwitchFocus(home)
  useScreenTitle(texts.title(), isOn)
  const [preview, setPreview] = useState<'light' | 'focus'>()
  function endSession(): void {
    setPreview(undefined)
    pressSwitch()
  }
  const look = preview ?? (isOn ? 'focus' : 'light')
  const isNoteInHeader = useMediaQuery('(min-width: 64rem)')
  const note = (
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 text-note text-soft">
      <p id="preview-note" className="lg:text-end">
        <span>{texts.previewOnly()}</span> {isNoteInHeader ? <br /> : null}
        <span>{isOn ? texts.sessionGoesOn() : texts.startOnHome()}</span>
      </p>
      {/* The switch of this screen is a preview, so a running session has a button of its own. */}
      {isOn ? <TextButton onClick={endSession}>{texts.endSession()}</TextButton> : null}
    </div>
  )
  return (
    <AppFrame
      look={look}
      control={
        <>
          {isNoteInHeader ? note : null}
          <Switch
            label="deeb"
            describedBy="preview-note"
            checked={look === 'focus'}
            onChange={(checked) => setPreview(checked ? 'focus' : 'light')}
          />
        </>
      }
    >
      <main className="columns flex-1 pt-2 pb-5">
        <div>
          <ScreenHeading className="text-title">{texts.title()}</ScreenHeading>
          {isNoteInHeader ? null : note}
          <ProfileDetails profile={home?.profile} hasFailed={isError} onRetry={() => void refetch()} />
        </div>
        <div className="wide:pt-9">
          <SignInRow />
          <LinkRow to={APP_PATHS.goalSettings}>{texts.dailyGoals()}</LinkRow>
          <KeyboardShortcuts />
          <LanguageSetting />
          <RequestEmails profile={home?.profile} />
          <PushSettings />
          {SETTINGS_ROWS.map((row) => (
            <PartRow key={row.name} row={row} />
          ))}
          <CompanyReport />
          <EndSignalSettings />
          <AccountActions />
          <div className="pt-8">
            <SignOutButton />
          </div>
        </div>
      </main>
      <ForgottenQuestion session={home?.forgottenSession} />
    </AppFrame>
  )
}

const ROW = 'flex min-h-13 w-full items-center justify-between gap-x-4 border-b border-line text-body'

function SignInRow() {
  const requiredFrom = useSignInInfo().data?.secondFactor?.requiredFrom
  return (
    <LinkRow to={APP_PATHS.signInSettings}>
      <span>
        <span>{texts.signIn()}</span>
        {requiredFrom ? (
          <span className="block text-note text-soft">
            {texts.secondFactorFrom({ date: dateText(noonOf(requiredFrom)) })}
          </span>
        ) : null}
      </span>
    </LinkRow>
  )
}

/** A part with a screen of its own, where it is shown. */
function PartRow({ row }: { row: (typeof SETTINGS_ROWS)[number] }) {
  const { name, title, useIsShown = always } = row
  return useIsShown() ? <LinkRow to={settingsPath(name)}>{title()}</LinkRow> : null
}

const always = () => true

/** A row that leads to another screen. */
function LinkRow({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link href={to} state={enteredFrom(APP_PATHS.settings)} className={ROW}>
      {children}
      <ChevronRight size={20} className="text-soft rtl:-scale-x-100" />
    </Link>
  )
}

/** The page of the company and the switch for its report, where there is one. */
function CompanyReport() {
  if (!useHasCompanyPage()) return null
  return (
    <>
      <LinkRow to={APP_PATHS.company}>{texts.yourCompany()}</LinkRow>
      <div className="border-b border-line py-1 text-body">
        <CountMeIn label={texts.countMeIn()} />
      </div>
    </>
  )
}

/** Only where there is likely a keyboard. */
function KeyboardShortcuts() {
  const [isOpen, setIsOpen] = useState(false)
  if (!useMediaQuery('(hover: hover) and (pointer: fine)')) return null
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)} className={ROW}>
        {texts.shortcuts()}
        <kbd className="pe-1 font-sans text-soft">?</kbd>
      </button>
      {isOpen ? <ShortcutsDialog onClose={() => setIsOpen(false)} /> : null}
    </>
  )
}
