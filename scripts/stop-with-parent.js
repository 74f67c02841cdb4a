const CHECK_EVERY_MS = 500

/** Stops this process when its parent is gone. `npm start` runs it in a shell, and npm sends its signals to the shell only. */
export function stopWithParent() {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, CHECK_EVERY_MS).unref()
}
