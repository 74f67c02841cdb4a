import { Session } from 'node:inspector/promises'

/** Collects garbage at each SIGUSR2: how much of it a process keeps depends on when V8 collects, not on what is measured. */
export function collectOnSignal(): void {
  const session = new Session()
  session.connect()
  process.on('SIGUSR2', () => void session.post('HeapProfiler.collectGarbage'))
}
