import * as texts from '@deeb/texts/extension'
import type { Current, Kept } from './storage.ts'

const SIZES = [16, 32]
const DARK = '#101113'
const LIGHT = '#f7f6f2'
const GREEN = '#4ade80'
const GREY = '#8a8a86'

type Look = 'on' | 'off' | 'unknown'

/** Shows the state on the icon and in its title. A state that is not known looks like none. */
export async function showIcon({ login }: Kept, { known, nudgeSince }: Current): Promise<void> {
  const look: Look = known ? (known.state.inDeebMode ? 'on' : 'off') : 'unknown'
  const imageData = Object.fromEntries(SIZES.map((size) => [size, drawRing(size, look)]))
  await chrome.action.setIcon({ imageData })
  await chrome.action.setTitle({ title: titleOf(login !== null, known?.state ?? null) })
  const minutes = nudgeSince === null ? null : Math.round((Date.now() - nudgeSince) / 60_000)
  await chrome.action.setBadgeText({ text: minutes === null ? '' : `${minutes}` })
  await chrome.action.setBadgeBackgroundColor({ color: DARK })
  await chrome.action.setPopup({ popup: minutes === null ? '' : 'nudge.html' })
}

function titleOf(isConnected: boolean, state: { inDeebMode: boolean; until: string | null } | null): string {
  if (!isConnected) return texts.connectTitle()
  if (!state) return texts.unknownTitle()
  if (!state.inDeebMode) return texts.offTitle()
  const time = untilText(state)
  return time === null ? texts.onTitle() : texts.onUntilTitle({ time })
}

/** Until when the session is meant to go on, while that is ahead. */
export function untilText({ until }: { until: string | null }): string | null {
  if (until === null || Date.parse(until) <= Date.now()) return null
  const format = new Intl.DateTimeFormat(chrome.i18n.getUILanguage(), { hour: 'numeric', minute: '2-digit' })
  return format.format(new Date(until))
}

/** A ring: with the green plug on black in deeb mode, empty without, with gaps if it is not known. */
function drawRing(size: number, look: Look): ImageData {
  const context = new OffscreenCanvas(size, size).getContext('2d')
  if (!context) throw new Error('This browser has no canvas.')
  const middle = size / 2
  const circle = (radius: number) => {
    context.beginPath()
    context.arc(middle, middle, radius, 0, 2 * Math.PI)
  }
  circle(middle)
  context.fillStyle = look === 'on' ? DARK : LIGHT
  context.fill()
  circle(middle - size * 0.14)
  context.lineWidth = size * 0.14
  context.strokeStyle = look === 'on' ? LIGHT : look === 'off' ? DARK : GREY
  if (look === 'unknown') context.setLineDash([size * 0.17, size * 0.17])
  context.stroke()
  if (look === 'on') {
    circle(size * 0.22)
    context.fillStyle = GREEN
    context.fill()
  }
  return context.getImageData(0, 0, size, size)
}
