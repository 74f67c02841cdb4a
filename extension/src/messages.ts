import * as texts from '@deeb/texts/extension'

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

/** Asks for a change of deeb mode. Returns why it did not happen, as a text for the person; empty if it did. */
export async function askToChange(message: Message): Promise<string> {
  const outcome = await ask<Outcome | undefined>(message)
  if (outcome === 'unreachable') return texts.notSwitched()
  return outcome === 'refused' ? texts.refused() : ''
}
