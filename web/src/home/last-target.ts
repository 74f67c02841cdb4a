import { store } from '../device/store.ts'

const STORAGE_KEY = 'deeb.last-target'

/** The target that was chosen last on this device, in minutes; null before the first. */
export function lastTarget(): number | null {
  return Number(localStorage.getItem(STORAGE_KEY)) || null
}

export function setLastTarget(minutes: number): void {
  store('localStorage', STORAGE_KEY, `${minutes}`)
}
