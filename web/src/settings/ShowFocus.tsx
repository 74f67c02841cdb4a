import { settingsPath } from '@deeb/core/settings-parts'
import * as texts from '@deeb/texts/settings'
import { useHasChats } from '../status/status-queries.ts'
import { Card, LinkRow } from './Card.tsx'
import { useAppsState, useCalendarState, useCaseState, useChatState, useSignState, useWebhooksState } from './states.ts'

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
        {hasChats ? <ChatRow /> : null}
        <LinkRow
          to={settingsPath('calendar')}
          from={HERE}
          title={texts.calendar()}
          note={texts.whoSeesCalendar()}
          state={useCalendarState()}
        />
      </Card>
      <Card title={texts.forPrograms()} isTitleShown>
        <LinkRow
          to={settingsPath('apps')}
          from={HERE}
          title={texts.connectedApps()}
          note={texts.whoSeesApps()}
          state={useAppsState()}
        />
        <LinkRow
          to={settingsPath('webhooks')}
          from={HERE}
          title={texts.webhooks()}
          note={texts.whoSeesWebhooks()}
          state={useWebhooksState()}
        />
      </Card>
    </>
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
