/** Chromium reports an error before the first press on the page. */
let vibrate = () => {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(20)
}

/** One short vibration, where the device has it. */
export function haptic(): void {
  vibrate()
}

/** Uses the haptic feedback of the system instead of the browser's. */
export function replaceHaptic(bySystem: () => void): void {
  vibrate = bySystem
}
