import type { HidDevice, HidFilter } from './hid.ts'

/** Red, green and blue, 0 to 255 each. */
type Color = readonly [number, number, number]

interface LampModel {
  filters: HidFilter[]
  /** Shows a color until the next call, where the lamp can for `DARK_AFTER_SECONDS` at most. */
  show: (device: HidDevice, color: Color) => Promise<void>
}

/** A lamp goes dark by itself when the page has not called it for so long: the browser may have ended. */
const DARK_AFTER_SECONDS = 60

const BLINK1: LampModel = {
  filters: [{ vendorId: 0x27b8, productId: 0x01ed }],
  async show(device, color) {
    const send = (command: string, ...data: number[]) =>
      device.sendFeatureReport(1, bytes(8, command.charCodeAt(0), ...data))
    // The color first, and nothing waits: a page that closes gets no further.
    await Promise.all([
      send('n', ...color),
      // Until it is unplugged, the first lines of its pattern are dark for 0.1 seconds each. It plays them when the page is silent.
      ...[0, 1].map((line) => send('P', 0, 0, 0, 0, 10, line)),
      send('D', 1, ...twoBytes(DARK_AFTER_SECONDS * 100), 1, 0, 1),
    ])
  },
}

const LUXAFOR_FLAG: LampModel = {
  filters: [{ vendorId: 0x04d8, productId: 0xf372 }],
  show: (device, color) => device.sendReport(0, bytes(8, 1, 0xff, ...color)),
}

/** It goes dark by itself after 30 seconds. */
const BUSYLIGHT: LampModel = {
  filters: [{ vendorId: 0x27bb }, { vendorId: 0x04d8, productId: 0xf848 }],
  show(device, color) {
    const percents = color.map((part) => Math.round((part / 255) * 100))
    // One step that repeats itself, on all the time, without a sound.
    const report = bytes(64, 0x10, 1, ...percents, 0xff, 0, 0x80)
    report.fill(0xff, 58, 62)
    report.set(twoBytes(report.reduce((sum, byte) => sum + byte, 0)), 62)
    return device.sendReport(0, report)
  },
}

const MODELS = [BLINK1, LUXAFOR_FLAG, BUSYLIGHT]

export const LAMP_FILTERS = MODELS.flatMap(({ filters }) => filters)

const RED: Color = [255, 0, 0]
const DARK: Color = [0, 0, 0]

/** Rejects if the system or another program keeps the lamp. */
export async function openLamp(device: HidDevice): Promise<void> {
  if (!device.opened) await device.open()
}

/** Makes a lamp red or dark. Rejects if it is unplugged, or the system or another program keeps it. */
export async function showLamp(device: HidDevice, isOn: boolean): Promise<void> {
  // A page that closes cannot wait.
  if (!device.opened) await openLamp(device)
  await modelOf(device)?.show(device, isOn ? RED : DARK)
}

function modelOf({ vendorId, productId }: HidDevice): LampModel | undefined {
  return MODELS.find(({ filters }) =>
    filters.some((filter) => filter.vendorId === vendorId && (filter.productId ?? productId) === productId),
  )
}

function bytes(length: number, ...first: number[]): Uint8Array<ArrayBuffer> {
  const data = new Uint8Array(length)
  data.set(first)
  return data
}

function twoBytes(value: number): [number, number] {
  return [value >> 8, value & 0xff]
}
