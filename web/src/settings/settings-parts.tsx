import { SETTINGS_PARTS, type SettingsPart } from '@deeb/core/settings-parts'
import * as texts from '@deeb/texts/common'
import type { ComponentType } from 'react'
import { lazyScreen } from '../device/lazy-screen.ts'
import { useHasChats } from '../status/status-queries.ts'

/** A part of Settings with a screen of its own. */
interface Part {
  /** The title of its row and of its screen. */
  title: () => string
  /** The content of its screen below the header: a `<main>`. */
  Screen: ComponentType
  /** Whether Settings has a row for it; by default always. */
  useIsShown?: () => boolean
}

/** Every part. Add its name to `SETTINGS_PARTS` of core, so that the server and the service worker know its path. */
const PARTS: Record<SettingsPart, Part> = {
  sign: { title: texts.doorSign, Screen: lazyScreen(() => import('../signs/DoorSign.tsx')) },
  status: {
    title: texts.chatStatus,
    Screen: lazyScreen(() => import('../status/StatusInChat.tsx')),
    useIsShown: useHasChats,
  },
  calendar: { title: texts.calendar, Screen: lazyScreen(() => import('../calendar/CalendarSettings.tsx')) },
  webhooks: { title: texts.webhooks, Screen: lazyScreen(() => import('../webhooks/WebhooksSettings.tsx')) },
  apps: { title: texts.connectedApps, Screen: lazyScreen(() => import('../tokens/ConnectedApps.tsx')) },
}

/** All parts, in the order of their rows. */
export const SETTINGS_ROWS = SETTINGS_PARTS.map((name) => ({ name, ...PARTS[name] }))

/** The part of a path; undefined if there is none. */
export function partOf(name: string | undefined): Part | undefined {
  return SETTINGS_ROWS.find((row) => row.name === name)
}
