/** The parts of Settings with a screen of their own, at `/app/settings/<part>`. Not in paths.ts, which every screen loads. */
export const SETTINGS_PARTS = [
  'tell',
  'show',
  'case',
  'sign',
  'status',
  'calendar',
  'apps',
  'webhooks',
  'data',
] as const

export type SettingsPart = (typeof SETTINGS_PARTS)[number]

export function settingsPath(part: SettingsPart): `/app/settings/${SettingsPart}` {
  return `/app/settings/${part}`
}
