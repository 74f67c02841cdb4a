import { APP_PATHS } from '@deeb/core/paths'
import * as commonTexts from '@deeb/texts/common'
import * as settingsTexts from '@deeb/texts/settings'
import * as texts from '@deeb/texts/site'
import type { ReactNode } from 'react'
import { linkTo } from './frame/link-to.ts'
import { SitePage } from './frame/SitePage.tsx'

/** Where emails lead that can be stopped. All views are hidden in the built page; the server shows one. */
export function UnsubscribePage() {
  return (
    <SitePage title={texts.unsubscribeTitle()} description={texts.unsubscribeDescription()} path={null} frame="name">
      <div className="page legal">
        <h1 className="heading-small">{texts.requestEmails()}</h1>
        <View name="ask">
          <p>{texts.requestEmailsAsk()}</p>
          <StopForm label={texts.stopEmails()} />
        </View>
        <View name="stopped">
          <p role="status">
            <strong>{texts.emailsStopped()}</strong>
          </p>
          <p>{texts.emailsAgain({ setting: settingsTexts.requestEmails() })}</p>
          <SettingsLink />
        </View>
        <View name="wrong-link">
          <p>
            <strong>{texts.wrongLink()}</strong>
          </p>
          <p>{texts.wrongLinkWays({ setting: settingsTexts.requestEmails() })}</p>
          <SettingsLink />
        </View>
        <View name="failed">
          <p role="alert">
            <strong>{texts.stopFailed()}</strong>
          </p>
          <p>{texts.stopFailedRetry()}</p>
          <StopForm label={commonTexts.tryAgain()} />
        </View>
      </div>
    </SitePage>
  )
}

function View({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div hidden data-view={name} className="legal-text">
      {children}
    </div>
  )
}

/** Without an action: posts to the URL of the page, with the token in it. */
function StopForm({ label }: { label: string }) {
  return (
    <form method="post" className="mt-8">
      <button type="submit" className="button">
        {label}
      </button>
    </form>
  )
}

function SettingsLink() {
  return (
    <p>
      <a href={linkTo(APP_PATHS.settings)} className="text-link">
        {texts.openSettings()}
      </a>
    </p>
  )
}
