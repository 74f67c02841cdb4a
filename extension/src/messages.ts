/** Whether the server has switched, or why not: the same change is being made, it has refused, or it does not answer. */
export type Outcome = 'done' | 'busy' | 'refused' | 'unreachable'

/** Requests of the pages of the extension to its background script. */
export type Message =
  | { type: 'switch'; on: boolean }
  | { type: 'count' }
  | { type: 'not now' }
  | { type: 'open anyway'; site: string }
  | { type: 'connect'; origin: string }

export function ask<Answer>(message: Message): Promise<Answer> {
  return chrome.runtime.sendMessage(message)
}
