import type { Delivery, Webhook } from '@deeb/core/webhooks/api'
import type { WebhookEvent } from '@deeb/core/webhooks/events'
import { dateText, timeOrDayText } from '../local-time.ts'
import { serverNow } from '../server-clock.ts'
import type { WebhookFailure } from './webhooks-queries.ts'

/** What each event is for the user. */
export const EVENT_LABELS: Record<WebhookEvent, string> = {
  'focus.started': 'deeb mode on',
  'focus.ended': 'deeb mode off',
  'goal.reached': 'Goal reached',
}

/** The state of a webhook in a word. */
export function stateText({ offReason, failingSince }: Webhook): string {
  if (offReason !== null) return 'Off'
  return failingSince === null ? 'On' : 'Failing'
}

const OFF_TEXTS: Record<NonNullable<Webhook['offReason']>, string> = {
  person: 'You have switched it off.',
  failing: 'It was switched off: nothing arrived for 3 days.',
  gone: 'It was switched off: its server answered that it is gone.',
  security:
    'It was switched off for your safety: you signed out everywhere else, set a new password, changed your email or left your company.',
}

/** What the user should know about the state. */
export function stateNote({ offReason, failingSince, createdAt }: Webhook): string {
  if (offReason !== null) return OFF_TEXTS[offReason]
  if (failingSince === null) return `Added on ${dateText(new Date(createdAt))}.`
  return `Nothing has arrived since ${timeOrDayText(new Date(failingSince), serverNow())}. After 3 days it is switched off.`
}

/** What a message was about. */
export function messageText({ type }: Delivery): string {
  return type in EVENT_LABELS ? EVENT_LABELS[type as WebhookEvent] : 'Test'
}

const FAILURES: Record<NonNullable<Delivery['failure']>, string> = {
  invalid_url: 'deeb may not call this address',
  no_public_address: 'the host has no public address',
  redirect: 'it answered with a redirect',
  timeout: 'no answer within 5 seconds',
  unreachable: 'no connection',
}

/** How the delivery of a message went. */
export function deliveryText({ createdAt, deliveredAt, nextTryAt, status, failure, attempts }: Delivery): string {
  const at = (instant: string) => timeOrDayText(new Date(instant), serverNow())
  if (deliveredAt !== null) return `Delivered at ${at(deliveredAt)}`
  if (attempts === 0 && nextTryAt !== null) return 'Is being sent'
  const reason = failure ? FAILURES[failure] : status === null ? 'it was not sent in time' : `status ${status}`
  if (nextTryAt === null) return `From ${at(createdAt)}, not delivered: ${reason}`
  return `From ${at(createdAt)}, next try at ${at(nextTryAt)}: ${reason}`
}

/** Failures of a change, for a toast. */
export const CHANGE_FAILURES: Record<Exclude<WebhookFailure, 'proof needed'>, string> = {
  'wrong url': 'Enter an address that begins with https:// and that deeb can reach on the Internet.',
  'too many webhooks': 'You have 10 webhooks, the most that you can have. Delete one first.',
  'too many': 'Too many changes. Wait a while and try again.',
  gone: 'This webhook was changed in another tab. Please try again.',
  failed: 'This could not be saved. Please try again.',
}
