import { CALENDAR_DAYS } from '@deeb/core/calendar/api'
import { useState } from 'react'
import { ShownOnceDialog } from '../account/ShownOnceDialog.tsx'
import { useSignInInfo } from '../account/sign-in-queries.ts'
import { ListState } from '../account/sign-in-settings/ListState.tsx'
import { Row, Section } from '../account/sign-in-settings/Section.tsx'
import { useProof } from '../account/use-proof.tsx'
import { dateText, timeOrDayText } from '../local-time.ts'
import { serverNow } from '../server-clock.ts'
import { Button } from '../ui/Button.tsx'
import { FormDialog } from '../ui/FormDialog.tsx'
import { FormError } from '../ui/FormError.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { showFailure, showToast } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { useCalendarLink, useChangeCalendarLink } from './calendar-queries.ts'

const WHO_SEES_WHAT = [
  'Everyone with the link can read when each session began and ended, without signing in.',
  'A session appears after it has ended. The link does not show whether you are in deeb mode.',
  'Google Calendar and Outlook look for changes every few hours only.',
]

/** The secret link by which calendar apps read the user's sessions: created, shown once, replaced and removed here. */
export default function CalendarSettings() {
  // `withProof` reads whether a proof is needed.
  useSignInInfo()
  const read = useCalendarLink()
  const { create, remove } = useChangeCalendarLink()
  const { withProof, proofDialog } = useProof()
  const [busy, run, failure] = useBusy()
  const [asking, setAsking] = useState<'replace' | 'remove' | null>(null)
  const [url, setUrl] = useState<string | null>(null)
  const link = read.data?.link

  async function createLink(): Promise<void> {
    const outcome = await withProof(create)
    if (outcome === undefined) return
    if (typeof outcome === 'object') setUrl(outcome.url)
    else if (outcome === 'too many') showFailure('Too many new links. Wait a while and try again.')
    else showFailure('The link could not be created. Please try again.')
  }
  async function removeLink(): Promise<boolean> {
    const isDone = (await remove()) === 'done'
    if (isDone) showToast({ title: 'Link removed', tone: 'success' })
    else showFailure('The link could not be removed. Please try again.')
    return isDone
  }
  return (
    <main className="column flex-1 pb-5">
      <Section
        title="Your sessions in a calendar"
        note={`A calendar app can show your ended sessions of the last ${CALENDAR_DAYS} days. It reads them by a secret link.`}
      >
        {WHO_SEES_WHAT.map((sentence) => (
          <p key={sentence} className="mt-3 text-body text-pretty text-soft">
            {sentence}
          </p>
        ))}
        <ListState read={read} />
        {link ? (
          <ul className="mt-5 border-t border-line">
            <Row name="Your link" note={noteOf(link)}>
              <TextButton aria-busy={busy} onClick={() => setAsking('replace')}>
                Replace
              </TextButton>
              <TextButton tone="destructive" onClick={() => setAsking('remove')}>
                Remove
              </TextButton>
            </Row>
          </ul>
        ) : null}
        {link === null ? (
          <p className="mt-5">
            <Button kind="primary" size="list" busy={busy} onClick={() => void run(createLink)}>
              Create link
            </Button>
          </p>
        ) : null}
        <FormError>{failure}</FormError>
        {link ? (
          <p className="mt-3 text-note text-pretty text-soft">
            The link also ends when you sign out everywhere else, set a new password, change your email or leave your
            company.
          </p>
        ) : null}
      </Section>
      {asking === 'replace' ? (
        <FormDialog
          title="Replace the link?"
          description="Calendars with the old link get no more sessions. Give them the new one."
          action="Replace"
          onSubmit={async () => {
            // Before the dialogs that follow.
            setAsking(null)
            void run(createLink)
            return false
          }}
          onClose={() => setAsking(null)}
        />
      ) : null}
      {asking === 'remove' ? (
        <FormDialog
          title="Remove the link?"
          description="Calendars get no more sessions. Remove the calendar there too: it keeps what it has read."
          action="Remove"
          kind="destructive"
          onSubmit={removeLink}
          onClose={() => setAsking(null)}
        />
      ) : null}
      {proofDialog}
      {url ? (
        <ShownOnceDialog
          title="Your calendar link"
          description="Add it to your calendar app as a subscription."
          label="Link"
          value={url}
          onClose={() => setUrl(null)}
        >
          <ul className="text-note">
            <li>Google Calendar: Other calendars, From URL</li>
            <li>Outlook: Add calendar, Subscribe from web</li>
            <li>Apple Calendar: File, New Calendar Subscription</li>
          </ul>
        </ShownOnceDialog>
      ) : null}
    </main>
  )
}

/** When the link was created and last read. */
function noteOf({ createdAt, lastReadAt }: { createdAt: string; lastReadAt: string | null }): string {
  const created = `Created on ${dateText(new Date(createdAt))}`
  if (lastReadAt === null) return `${created}. No calendar has read it yet.`
  // The server notes it once an hour.
  return `${created}. Last read at about ${timeOrDayText(new Date(lastReadAt), serverNow())}.`
}
