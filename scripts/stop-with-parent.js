const LOOK_EVERY_MS = 500

/** `npm start` puts a shell between itself and us, and passes a signal on to that only. When it is gone, so are we. */
export function stopWithParent() {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, LOOK_EVERY_MS).unref()
}
