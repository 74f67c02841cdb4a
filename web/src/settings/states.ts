import { CHAT_SYSTEM_FACTS } from '@deeb/core/status/systems'
import * as texts from '@deeb/texts/settings'
import { useCalendarLink } from '../calendar/calendar-queries.ts'
import { useCases } from '../cases/cases-queries.ts'
import { listText } from '../device/list-text.ts'
import { useSigns } from '../signs/signs-queries.ts'
import { useStatus } from '../status/status-queries.ts'
import { useTokens } from '../tokens/tokens-queries.ts'
import { useWebhooks } from '../webhooks/webhooks-queries.ts'

/* Each state is a few words for the end of a row, and undefined until it is known. */

function listOrOff(items: readonly string[]): string {
  return items.length > 0 ? listText(items) : texts.off()
}

/** The door signs of the user, and those of circles that show the user: `Office`, `3 signs`. */
function useSignNames(): string[] | undefined {
  const { data } = useSigns()
  if (!data) return undefined
  const ofCircles = data.circles.flatMap(({ sign }) => (sign && sign.mine !== 'nothing' ? [sign.label] : []))
  const labels = [...data.signs.map(({ label }) => label), ...ofCircles]
  return labels.length > 1 ? [texts.signs({ count: labels.length })] : labels
}

function useChatNames(): string[] | undefined {
  return useStatus()
    .data?.systems.filter(({ link }) => link?.isOn)
    .map(({ system }) => CHAT_SYSTEM_FACTS[system].name)
}

export function useCaseState(): string | undefined {
  const { data } = useCases()
  return data && (data.cases.length > 0 ? texts.codes({ count: data.cases.length }) : texts.off())
}

export function useSignState(): string | undefined {
  const names = useSignNames()
  return names && listOrOff(names)
}

export function useChatState(): string | undefined {
  const names = useChatNames()
  return names && listOrOff(names)
}

export function useCalendarState(): string | undefined {
  const { data } = useCalendarLink()
  return data && (data.link ? texts.on() : texts.off())
}

export function useAppsState(): string | undefined {
  const { data } = useTokens()
  return data && (data.tokens.length > 0 ? String(data.tokens.length) : texts.none())
}

export function useWebhooksState(): string | undefined {
  const { data } = useWebhooks()
  if (!data) return undefined
  const count = data.webhooks.filter(({ offReason }) => offReason === null).length
  if (count > 0) return String(count)
  return data.isOffered && data.webhooks.length === 0 ? texts.none() : texts.off()
}

/** Where others see deeb mode, the connections to programs left out: `Office, Slack, calendar`. */
export function useShowState(): string | undefined {
  const signs = useSignNames()
  const chats = useChatNames()
  const { data: calendar } = useCalendarLink()
  if (!signs || !chats || !calendar) return undefined
  return listOrOff([...signs, ...chats, ...(calendar.link ? [texts.calendarInList()] : [])])
}
