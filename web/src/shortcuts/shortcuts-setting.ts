const STORAGE_KEY = 'deeb.shortcuts'

/** Whether single keys act on this device. Speech input types letters by itself, so they can be switched off. */
export function areShortcutsOn(): boolean {
  return localStorage.getItem(STORAGE_KEY) !== 'off'
}

export function setShortcuts(isOn: boolean): void {
  if (isOn) localStorage.removeItem(STORAGE_KEY)
  else localStorage.setItem(STORAGE_KEY, 'off')
}
