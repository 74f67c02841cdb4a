import { fileURLToPath } from 'node:url'
import type { PlaywrightTestProject } from '@playwright/test'
import { FIREFOX, firefoxPath, WEBKIT } from './find.ts'
import { LEFT_OUT_OF_FIREFOX } from './firefox-journeys.ts'

const PREFERENCES = {
  // Like the other engines, whose scroll bars take no space.
  'widget.gtk.overlay-scrollbars.enabled': true,
  'ui.useOverlayScrollbars': 1,
  // The driver cannot emulate reduced motion, which many journeys do.
  'ui.prefersReducedMotion': 1,
  // A machine without a mouse would report no pointer. 6 is a precise one that can hover.
  'ui.primaryPointerCapabilities': 6,
  'ui.allPointerCapabilities': 6,
  // Else Firefox asks its servers for experiments.
  'messaging-system.rsexperimentloader.enabled': false,
}

const anyOf = (texts: string[]) => new RegExp(texts.map((text) => text.replace(/[.()]/g, '\\$&')).join('|'))

const firefox: PlaywrightTestProject = {
  name: FIREFOX.name,
  grepInvert: anyOf(Object.values(LEFT_OUT_OF_FIREFOX).flat()),
  use: {
    browserName: 'firefox',
    channel: 'moz-firefox',
    launchOptions: {
      executablePath: fileURLToPath(new URL('firefox-bidi.js', import.meta.url)),
      env: { ...(process.env as Record<string, string>), FIREFOX: firefoxPath ?? '', LC_ALL: 'en_US.UTF-8' },
      firefoxUserPrefs: PREFERENCES,
    },
  },
}

/** Journeys of their own, since Playwright cannot drive it. */
const webkit: PlaywrightTestProject = {
  name: WEBKIT.name,
  testDir: fileURLToPath(new URL('../webkit', import.meta.url)),
}

/** The engines other than Chromium that are installed. */
export const otherEngines = [...(FIREFOX.version ? [firefox] : []), ...(WEBKIT.version ? [webkit] : [])]
