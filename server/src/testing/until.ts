import { vi } from 'vitest'

/** Polls `look` until it returns a truthy value, and resolves with it. The timeout is generous, for a busy machine. */
export const until = <T>(look: () => T | Promise<T>) => vi.waitUntil(look, { timeout: 60_000, interval: 2 })
