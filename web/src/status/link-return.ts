import { CHAT_SYSTEM_FACTS, CHAT_SYSTEMS } from '@deeb/core/status/systems'
import * as texts from '@deeb/texts/status'
import { showFailure, showToast } from '../ui/toast.ts'

/** Why a chat system is not connected after the return from it. */
const FAILURES: Readonly<Record<string, (inputs: { name: string }) => string>> = {
  denied: texts.notAllowed,
  expired: texts.tookTooLong,
  refused: texts.connectionRefused,
  taken: texts.takenThere,
  unavailable: texts.chatUnavailable,
}

/** Says how the connection of a chat system went, if the browser has just returned from one, and removes that from the address. */
export function sayLinkOutcome(): void {
  const values = new URLSearchParams(window.location.hash.slice(1))
  const system = CHAT_SYSTEMS.find((one) => values.has(one))
  if (!system) return
  window.history.replaceState(window.history.state, '', window.location.pathname)
  const { name } = CHAT_SYSTEM_FACTS[system]
  const outcome = values.get(system) ?? ''
  if (outcome === 'connected') showToast({ title: texts.connectedToast({ name }), tone: 'success' })
  else showFailure(FAILURES[outcome]?.({ name }) ?? texts.isNotConnected({ name }), texts.notConnected())
}
