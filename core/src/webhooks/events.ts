/** The events that a person can receive, all about this person alone. */
export const WEBHOOK_EVENTS = ['focus.started', 'focus.ended', 'goal.reached'] as const

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]
