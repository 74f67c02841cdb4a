import { type Delivery, MAX_WEBHOOKS, type Webhook } from '@deeb/core/webhooks/api'
import type { WebhookEvent } from '@deeb/core/webhooks/events'
import * as texts from '@deeb/texts/webhooks'
import { serverNow } from '../calls/server-clock.ts'
import { dateText, timeOrDayText } from '../device/local-date.ts'
import type { WebhookFailure } from './webhooks-queries.ts'

/** The name of each event for the user. */
export const EVENT_LABELS: Record<WebhookEvent, () => string> = {
  'focus.started': texts.focusStarted,
  'focus.ended': texts.focusEnded,
  'goal.reached': texts.goalReached,
}

/** The state of a webhook in a word. */
export function stateText({ offReason, failingSince }: Webhook): string {
  if (offReason !== null) return texts.off()
  return failingSince === null ? texts.on() : texts.failing()
}

const OFF_TEXTS: Record<NonNullable<Webhook['offReason']>, () => string> = {
  person: texts.offByPerson,
  failing: texts.offFailing,
  gone: texts.offGone,
  security: texts.offSecurity,
}

/** Says what the user should know about the state. */
export function stateNote({ offReason, failingSince, createdAt }: Webhook): string {
  if (offReason !== null) return OFF_TEXTS[offReason]()
  if (failingSince === null) return texts.addedOn({ date: dateText(new Date(createdAt)) })
  return texts.failingSince({ time: timeOrDayText(new Date(failingSince), serverNow()) })
}

/** Names the event of a message. */
export function messageText({ type }: Delivery): string {
  return type in EVENT_LABELS ? EVENT_LABELS[type as WebhookEvent]() : texts.test()
}

const FAILURES: Record<NonNullable<Delivery['failure']>, () => string> = {
  invalid_url: texts.invalidUrl,
  no_public_address: texts.noPublicAddress,
  redirect: texts.redirect,
  timeout: texts.timeout,
  unreachable: texts.unreachable,
}

/** How the delivery of a message went. */
export function deliveryText({ createdAt, deliveredAt, nextTryAt, status, failure, attempts }: Delivery): string {
  const at = (instant: string) => timeOrDayText(new Date(instant), serverNow())
  if (deliveredAt !== null) return texts.delivered({ time: at(deliveredAt) })
  if (attempts === 0 && nextTryAt !== null) return texts.isBeingSent()
  const reason = failure ? FAILURES[failure]() : status === null ? texts.notInTime() : texts.status({ status })
  if (nextTryAt === null) return texts.notDelivered({ time: at(createdAt), reason })
  return texts.nextTry({ time: at(createdAt), nextTime: at(nextTryAt), reason })
}

/** Failures of a change, for a toast. */
export const CHANGE_FAILURES: Record<Exclude<WebhookFailure, 'proof needed'>, () => string> = {
  'wrong url': texts.wrongUrl,
  'too many webhooks': () => texts.tooMany({ count: MAX_WEBHOOKS }),
  'too many': texts.tooManyChanges,
  gone: texts.changedElsewhere,
  failed: texts.saveFailed,
}
