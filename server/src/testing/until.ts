import { vi } from 'vitest'

/** Waits until a look finds something, and gives it. As long as a busy machine may take: nothing is measured by it. */
export const until = <T>(look: () => T | Promise<T>) => vi.waitUntil(look, { timeout: 20_000, interval: 2 })
