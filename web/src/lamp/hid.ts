import { useSyncExternalStore } from 'react'

/** A USB device that the user lets this page use (WebHID, in Chromium). */
export interface HidDevice {
  vendorId: number
  productId: number
  productName: string
  opened: boolean
  open(): Promise<void>
  forget(): Promise<void>
  sendReport(id: number, data: Uint8Array<ArrayBuffer>): Promise<void>
  sendFeatureReport(id: number, data: Uint8Array<ArrayBuffer>): Promise<void>
}

export interface HidFilter {
  vendorId: number
  productId?: number
}

interface Hid extends EventTarget {
  getDevices(): Promise<HidDevice[]>
  requestDevice(options: { filters: HidFilter[] }): Promise<HidDevice[]>
}

declare global {
  interface Navigator {
    hid?: Hid
  }
}

/** The devices that are plugged in, in a new list after each change. The browser keeps which ones the user has chosen, nothing else does. */
let devices: readonly HidDevice[] = []
const listeners = new Set<() => void>()

export function canUseLamps(): boolean {
  return navigator.hid !== undefined
}

/** The lamps that the user has chosen and that are plugged in. */
export function useLamps(): readonly HidDevice[] {
  return useSyncExternalStore(listen, () => devices)
}

/** Lets the user choose devices: the browser asks, only in the answer to a press. Rejects if a policy of the company forbids it. */
export async function chooseDevices(filters: HidFilter[]): Promise<HidDevice[]> {
  const chosen = (await navigator.hid?.requestDevice({ filters })) ?? []
  await readDevices()
  return chosen
}

export async function forgetDevice(device: HidDevice): Promise<void> {
  await device.forget()
  await readDevices()
}

async function readDevices(): Promise<void> {
  devices = (await navigator.hid?.getDevices()) ?? []
  for (const listener of listeners) listener()
}

function read(): void {
  readDevices().catch(() => undefined)
}

function listen(listener: () => void): () => void {
  if (listeners.size === 0) {
    navigator.hid?.addEventListener('connect', read)
    navigator.hid?.addEventListener('disconnect', read)
    read()
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    navigator.hid?.removeEventListener('connect', read)
    navigator.hid?.removeEventListener('disconnect', read)
  }
}
