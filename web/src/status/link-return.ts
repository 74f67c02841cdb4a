import { CHAT_SYSTEM_FACTS, CHAT_SYSTEMS } from '@deeb/core/status/systems'
import { showFailure, showToast } from '../ui/toast.ts'

/** Why a chat system is not connected after the return from it. */
const FAILURES: Readonly<Record<string, (name: string) => string>> = {
  denied: (name) => `You did not allow it, so ${name} is not connected.`,
  expired: () => 'This took too long, or began in another browser. Please connect it again.',
  refused: (name) => `${name} refused the connection. Please try again, and allow all that it asks for.`,
  taken: (name) => `Another deeb account has connected this account of ${name}. Disconnect it there first.`,
  unavailable: (name) => `${name} does not answer. Please try again later.`,
}

/** Says how the connection of a chat system went, if the browser has just returned from one, and removes that from the address. */
export function sayLinkOutcome(): void {
  const values = new URLSearchParams(window.location.hash.slice(1))
  const system = CHAT_SYSTEMS.find((one) => values.has(one))
  if (!system) return
  window.history.replaceState(window.history.state, '', window.location.pathname)
  const { name } = CHAT_SYSTEM_FACTS[system]
  const outcome = values.get(system) ?? ''
  if (outcome === 'connected') showToast({ title: `${name} connected`, tone: 'success' })
  else showFailure(FAILURES[outcome]?.(name) ?? `${name} is not connected.`, 'Not connected')
}
