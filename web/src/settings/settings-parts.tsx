import { APP_PATHS } from '@deeb/core/paths'
import { SETTINGS_PARTS, type SettingsPart, settingsPath } from '@deeb/core/settings-parts'
import * as texts from '@deeb/texts/settings'
import type { ComponentType } from 'react'
import { lazyScreen } from '../device/lazy-screen.ts'

const OF_SETTINGS = { parent: APP_PATHS.settings, backLabel: texts.backToSettings, isPage: false }
/** Its screen is a whole `<main>`. */
const OF_SHOW_FOCUS = { parent: settingsPath('show'), backLabel: texts.backToShowFocus, isPage: true }

/** A part of Settings with a screen of its own. */
interface Part {
  /** The title of its row and of its screen. */
  title: () => string
  parent: string
  backLabel: () => string
  /** The content of its screen below the header. */
  Screen: ComponentType
  /** Whether that is a `<main>`. */
  isPage: boolean
}

/** Every part. Add its name to `SETTINGS_PARTS` of core, so that the server and the service worker know its path. */
const PARTS: Record<SettingsPart, Part> = {
  tell: { title: texts.tellMe, ...OF_SETTINGS, Screen: lazyScreen(() => import('./TellMe.tsx')) },
  show: { title: texts.showFocus, ...OF_SETTINGS, Screen: lazyScreen(() => import('./ShowFocus.tsx')) },
  case: { title: texts.yourCase, ...OF_SHOW_FOCUS, Screen: lazyScreen(() => import('../cases/YourCase.tsx')) },
  sign: { title: texts.doorSign, ...OF_SHOW_FOCUS, Screen: lazyScreen(() => import('../signs/DoorSign.tsx')) },
  status: { title: texts.chatStatus, ...OF_SHOW_FOCUS, Screen: lazyScreen(() => import('../status/StatusInChat.tsx')) },
  calendar: {
    title: texts.calendar,
    ...OF_SHOW_FOCUS,
    Screen: lazyScreen(() => import('../calendar/CalendarSettings.tsx')),
  },
  apps: {
    title: texts.connectedApps,
    ...OF_SHOW_FOCUS,
    Screen: lazyScreen(() => import('../tokens/ConnectedApps.tsx')),
  },
  webhooks: {
    title: texts.webhooks,
    ...OF_SHOW_FOCUS,
    Screen: lazyScreen(() => import('../webhooks/WebhooksSettings.tsx')),
  },
  data: { title: texts.yourData, ...OF_SETTINGS, Screen: lazyScreen(() => import('./YourData.tsx')) },
}

/** The part of a path; undefined if there is none. */
export function partOf(name: string | undefined): Part | undefined {
  const part = SETTINGS_PARTS.find((one) => one === name)
  return part && PARTS[part]
}
