import { APP_PATHS } from '@deeb/core/paths'
import type { ReactNode } from 'react'
import { SitePage } from './frame/SitePage.tsx'

/** Where emails lead that can be stopped. All views are hidden in the built page; the server shows one. */
export function UnsubscribePage() {
  return (
    <SitePage
      title="deeb: emails about connection requests"
      description="stop or keep the emails about connection requests."
      path={null}
      frame="name"
    >
      <div className="page legal">
        <h1 className="heading-small">Emails about connection requests</h1>
        <View name="ask">
          <p>deeb emails you at most once a day when colleagues want to connect with you.</p>
          <StopForm label="Stop these emails" />
        </View>
        <View name="stopped">
          <p role="status">
            <strong>You no longer get these emails.</strong>
          </p>
          <p>To get them again, switch on “Email me about connection requests” in Settings.</p>
          <SettingsLink />
        </View>
        <View name="wrong-link">
          <p>
            <strong>This link does not work.</strong>
          </p>
          <p>
            Open the link in the newest email, or sign in and switch off “Email me about connection requests” in
            Settings.
          </p>
          <SettingsLink />
        </View>
        <View name="failed">
          <p role="alert">
            <strong>Something went wrong, and you still get these emails.</strong>
          </p>
          <p>Please try again in a moment.</p>
          <StopForm label="Try again" />
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
      <a href={APP_PATHS.settings} className="text-link">
        Open Settings
      </a>
    </p>
  )
}
