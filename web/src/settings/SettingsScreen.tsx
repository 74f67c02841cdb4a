import { APP_PATHS } from '@deeb/core/paths'
import { settingsPath } from '@deeb/core/settings-parts'
import { ringTime } from '@deeb/core/stats/ring'
import * as texts from '@deeb/texts/settings'
import { useState } from 'react'
import { LanguageSetting } from '../account/LanguageSetting.tsx'
import { ProfileDetails } from '../account/ProfileDetails.tsx'
import { SignOutButton } from '../account/SignOutButton.tsx'
import { useSignInInfo } from '../account/sign-in-queries.ts'
import { lazyPart } from '../device/lazy-part.tsx'
import { listText } from '../device/list-text.ts'
import { dateText, noonOf } from '../device/local-date.ts'
import { type Home, useHome } from '../focus/day-queries.ts'
import { useSwitchFocus } from '../focus/use-switch-focus.ts'
import { AppFrame } from '../frame/AppFrame.tsx'
import { useScreenTitle } from '../frame/use-screen-title.ts'
import { mayNotify } from '../push/push.ts'
import { usePush } from '../push/push-queries.ts'
import { endSignals } from '../sessions/end-signals.ts'
import { ForgottenQuestion } from '../sessions/FocusFrame.tsx'
import { ShortcutsDialog } from '../shortcuts/ShortcutsDialog.tsx'
import { useCompany, useHasCompanyPage } from '../stats/company-page.ts'
import { useHasChats } from '../status/status-queries.ts'
import { ScreenHeading } from '../ui/ScreenHeading.tsx'
import { Switch } from '../ui/Switch.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { useMediaQuery } from '../ui/use-media-query.ts'
import { Card, LinkRow } from './Card.tsx'
import { useShowState } from './states.ts'

const EndPill = lazyPart(() => import('../sessions/EndPill.tsx'))

const HERE = APP_PATHS.settings

export default function SettingsScreen() {
  const { data: home, isError, refetch } = useHome()
  const { isOn, openSession, switchOff } = useSwitchFocus(home)
  useScreenTitle(texts.title(), isOn)
  const [preview, setPreview] = useState<'light' | 'focus'>()
  function endSession(): void {
    setPreview(undefined)
    switchOff()
  }
  const look = preview ?? (isOn ? 'focus' : 'light')
  return (
    <AppFrame
      look={look}
      control={
        <>
          <p id="preview-note" className="settings-preview text-end text-note text-balance text-soft">
            {`${texts.previewOnly()} ${isOn ? texts.sessionGoesOn() : texts.startOnHome()}`}
          </p>
          <Switch
            label="deeb"
            describedBy="preview-note"
            checked={look === 'focus'}
            onChange={(checked) => setPreview(checked ? 'focus' : 'light')}
          />
        </>
      }
    >
      <main className="columns flex-1 pb-2 settings">
        <div>
          <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <ScreenHeading className="text-title">{texts.title()}</ScreenHeading>
            {/* The switch of this screen is a preview. */}
            {openSession ? <EndPill session={openSession} onEnd={endSession} /> : null}
          </div>
          <Card title={texts.you()}>
            <ProfileDetails profile={home?.profile} hasFailed={isError} onRetry={() => void refetch()} />
            <SignInRow />
          </Card>
        </div>
        <div>
          <div className="settings-keys">
            <KeyboardShortcuts />
          </div>
          <Card title={texts.yourDay()}>
            <LinkRow to={APP_PATHS.goalSettings} from={HERE} title={texts.dailyGoals()} state={goalsState(home)} />
            <LinkRow to={settingsPath('tell')} from={HERE} title={texts.tellMe()} state={useTellState(home)} />
          </Card>
          <Card title={home?.profile.companyDomain === null ? texts.showFocus() : texts.whatOthersSee()}>
            <ShowRow />
            <CompanyRow />
          </Card>
          <Card title={texts.yourData()}>
            <LinkRow to={settingsPath('data')} from={HERE} title={texts.yourData()} state={texts.dataActions()} />
            <LanguageSetting />
          </Card>
        </div>
        <div className="pt-2">
          <SignOutButton />
        </div>
      </main>
      <ForgottenQuestion session={home?.forgottenSession} />
    </AppFrame>
  )
}

function SignInRow() {
  const requiredFrom = useSignInInfo().data?.secondFactor?.requiredFrom
  return (
    <LinkRow
      to={APP_PATHS.signInSettings}
      from={HERE}
      title={texts.signIn()}
      state={texts.signInActions()}
      note={requiredFrom ? texts.secondFactorFrom({ date: dateText(noonOf(requiredFrom)) }) : undefined}
    />
  )
}

/** `17h a week`. */
function goalsState(home: Home | undefined): string | undefined {
  if (!home) return undefined
  const { hours, minutes } = ringTime(home.goals.reduce((sum, { goalMinutes }) => sum + goalMinutes, 0))
  return texts.aWeek({ time: minutes ? `${hours}h ${minutes}m` : `${hours}h` })
}

/** Lists the messages that are on: `requests, end of session`. */
function useTellState(home: Home | undefined): string | undefined {
  const { data: push } = usePush()
  if (!home) return undefined
  const { companyDomain, requestEmails } = home.profile
  const on = [
    ...(companyDomain !== null && (requestEmails ?? true) ? [texts.requests()] : []),
    ...(push?.isOn && mayNotify() ? [texts.freeColleagues()] : []),
    ...(endSignals().length > 0 ? [texts.endOfSession()] : []),
  ]
  if (on.length > 0) return listText(on)
  return companyDomain === null ? texts.soundOff() : texts.emailAndSoundOff()
}

function ShowRow() {
  const note = useHasChats() ? texts.showFocusNoteWithChat() : texts.showFocusNote()
  return <LinkRow to={settingsPath('show')} from={HERE} title={texts.showFocus()} state={useShowState()} note={note} />
}

/** Where there is a page of the company. */
function CompanyRow() {
  const { data: company } = useCompany()
  if (!useHasCompanyPage()) return null
  return (
    <LinkRow
      to={APP_PATHS.company}
      from={HERE}
      title={texts.companyLearns()}
      state={company?.inReport ? texts.countedIn() : texts.leftOut()}
    />
  )
}

/** Only where there is likely a keyboard, and room. */
function KeyboardShortcuts() {
  const [isOpen, setIsOpen] = useState(false)
  if (!useMediaQuery('(min-width: 64rem) and (hover: hover) and (pointer: fine)')) return null
  return (
    <>
      <TextButton tone="soft" onClick={() => setIsOpen(true)}>
        {texts.shortcuts()}
      </TextButton>
      {isOpen ? <ShortcutsDialog onClose={() => setIsOpen(false)} /> : null}
    </>
  )
}
