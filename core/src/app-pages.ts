import { APP_PATHS } from './paths.ts'
import { SETTINGS_PARTS, settingsPath } from './settings-parts.ts'
import { YEAR_PATH } from './stats/year.ts'

/** The path of every screen of the app. */
export const APP_PAGES: readonly string[] = [
  ...Object.values(APP_PATHS),
  ...SETTINGS_PARTS.map(settingsPath),
  YEAR_PATH,
]
