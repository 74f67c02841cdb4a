import { settingsPath } from '@deeb/core/settings-parts'
import * as knockTexts from '@deeb/texts/knocks'
import * as texts from '@deeb/texts/settings'
import { useState } from 'react'
import { lazyPart } from '../device/lazy-part.tsx'
import { useHome } from '../focus/day-queries.ts'
import { canUseLamps, useLamps } from '../lamp/hid.ts'
import { useHasChats } from '../status/status-queries.ts'
import { useAlerts } from '../team/alerts-queries.ts'
import { useWebhooks } from '../webhooks/webhooks-queries.ts'
import { Card, LinkRow, RowText } from './Card.tsx'
import { useAppsState, useCalendarState, useCaseState, useChatState, useSignState, useWebhooksState } from './states.ts'
import { WhoMayKnock } from './WhoMayKnock.tsx'

const LampSheet = lazyPart(() => import('../lamp/LampSheet.tsx'))

const HERE = settingsPath('show')

/** Where deeb mode shows outside of deeb: in each row, who sees it. */
export default function ShowFocus() {
  const hasChats = useHasChats()
  return (
    <>
      <Card title={texts.forPeople()} isTitleShown>
        <LinkRow
          to={settingsPath('case')}
          from={HERE}
          title={texts.yourCase()}
          note={texts.whoSeesCase()}
          state={useCaseState()}
        />
        <LinkRow
          to={settingsPath('sign')}
          from={HERE}
          title={texts.doorSign()}
          note={texts.whoSeesSign()}
          state={useSignState()}
        />
        {canUseLamps() ? <LampRow /> : null}
        <KnockRow />
        <LinkRow
          to={settingsPath('calendar')}
          from={HERE}
          title={texts.calendar()}
          note={texts.whoSeesCalendar()}
          state={useCalendarState()}
        />
        {/* The last one: it comes with an answer of the server, and nothing below it moves. */}
        {hasChats ? <ChatRow /> : null}
      </Card>
      <Card title={texts.forPrograms()} isTitleShown>
        <LinkRow
          to={settingsPath('apps')}
          from={HERE}
          title={texts.connectedApps()}
          note={texts.whoSeesApps()}
          state={useAppsState()}
        />
        <WebhooksRow />
      </Card>
    </>
  )
}

/** In Chromium on a computer. */
function LampRow() {
  const [isOpen, setIsOpen] = useState(false)
  const { length: count } = useLamps()
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setIsOpen(true)} className="settings-row gap-x-2">
        <RowText title={texts.lamp()} note={texts.whoSeesLamp()} state={count > 0 ? String(count) : texts.off()} />
      </button>
      {isOpen ? <LampSheet onClose={() => setIsOpen(false)} /> : null}
    </>
  )
}

function KnockRow() {
  const { data } = useAlerts()
  const allowed = data?.knocks?.allowed
  const [isOpen, setIsOpen] = useState(false)
  // Somebody who can have no colleagues. An older server.
  if (useHome().data?.profile.companyDomain === null || (data && !allowed)) return null
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setIsOpen(true)} className="settings-row gap-x-2">
        <RowText
          title={knockTexts.cantWait()}
          note={knockTexts.who()}
          state={allowed && (allowed.length > 0 ? String(allowed.length) : knockTexts.nobody())}
        />
      </button>
      {isOpen ? <WhoMayKnock onClose={() => setIsOpen(false)} /> : null}
    </>
  )
}

/** Not where the administrator has switched them off, and none is left. */
function WebhooksRow() {
  const state = useWebhooksState()
  const { data } = useWebhooks()
  if (data && !data.isOffered && data.webhooks.length === 0) return null
  return (
    <LinkRow
      to={settingsPath('webhooks')}
      from={HERE}
      title={texts.webhooks()}
      note={texts.whoSeesWebhooks()}
      state={state}
    />
  )
}

function ChatRow() {
  return (
    <LinkRow
      to={settingsPath('status')}
      from={HERE}
      title={texts.chatStatus()}
      note={texts.whoSeesChat()}
      state={useChatState()}
    />
  )
}
