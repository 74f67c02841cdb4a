/** Every path a person can type. The server answers 404 to the rest; the web draws these. */
export const APP_PATHS = {
  signIn: '/app',
  signUp: '/app/signup',
  confirm: '/app/confirm',
  forgotPassword: '/app/forgot-password',
  resetPassword: '/app/reset-password',
  home: '/app/home',
  team: '/app/team',
  profile: '/app/profile',
  goalSettings: '/app/goal-settings',
  sessions: '/app/sessions',
  settings: '/app/settings',
} as const

export type AppPath = (typeof APP_PATHS)[keyof typeof APP_PATHS]

/** The public pages. Each is a file of its own that was built before anybody knew who would come. */
export const SITE_PATHS = {
  home: '/',
  companies: '/companiesLP4358',
  teams: '/teamsLP678',
  comingSoon: '/coming-soon',
  waitlist: '/waitlist',
} as const

export type SitePath = (typeof SITE_PATHS)[keyof typeof SITE_PATHS]

/**
 * Stands in built pages wherever a full address is needed, in canonical links for one: only the running server knows
 * its PUBLIC_URL, and puts it in. No host can have this name.
 */
export const ORIGIN_PLACEHOLDER = 'https://public-url.invalid'
