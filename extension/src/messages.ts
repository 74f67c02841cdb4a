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
