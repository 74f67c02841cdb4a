/** A resting mouse sends `pointermove` when the page changes below it: no touch. */
const TOUCHES = ['pointerdown', 'keydown', 'wheel'] as const

/** Calls the listener at each press, key and turn of the wheel in this page. Returns what ends that. */
export function onTouch(listener: () => void): () => void {
  const options = { capture: true, passive: true }
  const listen = () => listener()
  for (const type of TOUCHES) window.addEventListener(type, listen, options)
  return () => {
    for (const type of TOUCHES) window.removeEventListener(type, listen, options)
  }
}
