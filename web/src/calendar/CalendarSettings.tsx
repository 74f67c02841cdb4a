import { CALENDAR_DAYS } from '@deeb/core/calendar/api'
import * as texts from '@deeb/texts/calendar'
import { useState } from 'react'
import { ShownOnceDialog } from '../account/ShownOnceDialog.tsx'
import { useSignInInfo } from '../account/sign-in-queries.ts'
import { ListState } from '../account/sign-in-settings/ListState.tsx'
import { Row } from '../account/sign-in-settings/Section.tsx'
import { useProof } from '../account/use-proof.tsx'
import { serverNow } from '../calls/server-clock.ts'
import { dateText, timeOrDayText } from '../device/local-date.ts'
import { Button } from '../ui/Button.tsx'
import { Explained } from '../ui/Explained.tsx'
import { FormDialog } from '../ui/FormDialog.tsx'
import { FormError } from '../ui/FormError.tsx'
import { CalendarPicture } from '../ui/pictures.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { showFailure, showToast } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { useCalendarLink, useChangeCalendarLink } from './calendar-queries.ts'

const SAFE = [texts.whoSees, texts.whatIsSeen, texts.alsoEnds, texts.slowCalendars]

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
    else if (outcome === 'too many') showFailure(texts.tooMany())
    else showFailure(texts.notCreated())
  }
  async function removeLink(): Promise<boolean> {
    const isDone = (await remove()) === 'done'
    if (isDone) showToast({ title: texts.removed(), tone: 'success' })
    else showFailure(texts.notRemoved())
    return isDone
  }
  return (
    <Explained
      line={texts.intro({ count: CALENDAR_DAYS })}
      picture={<CalendarPicture />}
      safe={SAFE.map((text) => text())}
    >
      <div className="pt-1">
        <ListState read={read} />
        {link ? (
          <ul className="mt-5 border-t border-line">
            <Row name={texts.yourLink()} note={noteOf(link)}>
              <TextButton aria-busy={busy} onClick={() => setAsking('replace')}>
                {texts.replaceLink()}
              </TextButton>
              <TextButton tone="destructive" onClick={() => setAsking('remove')}>
                {texts.removeLink()}
              </TextButton>
            </Row>
          </ul>
        ) : null}
        {link === null ? (
          <p className="mt-5">
            <Button kind="primary" size="list" busy={busy} onClick={() => void run(createLink)}>
              {texts.createLink()}
            </Button>
          </p>
        ) : null}
        <FormError>{failure}</FormError>
      </div>
      {asking === 'replace' ? (
        <FormDialog
          title={texts.replaceQuestion()}
          description={texts.replaceNote()}
          action={texts.replaceLink()}
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
          title={texts.removeQuestion()}
          description={texts.removeNote()}
          action={texts.removeLink()}
          kind="destructive"
          onSubmit={removeLink}
          onClose={() => setAsking(null)}
        />
      ) : null}
      {proofDialog}
      {url ? (
        <ShownOnceDialog
          title={texts.linkTitle()}
          description={texts.linkNote()}
          label={texts.link()}
          value={url}
          onClose={() => setUrl(null)}
        >
          <ul className="text-note">
            <li>{texts.inGoogle()}</li>
            <li>{texts.inOutlook()}</li>
            <li>{texts.inApple()}</li>
          </ul>
        </ShownOnceDialog>
      ) : null}
    </Explained>
  )
}

/** Says when the link was created and last read. */
function noteOf({ createdAt, lastReadAt }: { createdAt: string; lastReadAt: string | null }): string {
  const date = dateText(new Date(createdAt))
  if (lastReadAt === null) return texts.neverRead({ date })
  // The server notes it once an hour.
  return texts.lastRead({ date, time: timeOrDayText(new Date(lastReadAt), serverNow()) })
}
