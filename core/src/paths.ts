import { isLanguage, LANGUAGE_QUERY, type Language } from './languages.ts'

/** Every path of the app. The web renders these, and the server responds with 404 to all others. */
export const APP_PATHS = {
  signIn: '/app',
  signUp: '/app/signup',
  confirm: '/app/confirm',
  forgotPassword: '/app/forgot-password',
  resetPassword: '/app/reset-password',
  companySignIn: '/app/sso',
  home: '/app/home',
  team: '/app/team',
  circles: '/app/circles',
  circle: '/app/circle',
  invite: '/app/invite',
  profile: '/app/profile',
  goalSettings: '/app/goal-settings',
  sessions: '/app/sessions',
  company: '/app/company',
  settings: '/app/settings',
  signInSettings: '/app/settings/sign-in',
} as const

export type AppPath = (typeof APP_PATHS)[keyof typeof APP_PATHS]

/** The page of the app in one language, whatever the browser has chosen: `/app?language=de`. */
export function appPageUrl(language: string): string {
  return `${APP_PATHS.signIn}?${LANGUAGE_QUERY}=${language}`
}

/** The service worker of the app in a language, which precaches its files. */
export function workerPath(language: string): string {
  return language === 'en' ? '/app-worker.js' : `/app-worker.${language}.js`
}

/** The public pages. Each is a static file of the build. */
export const SITE_PATHS = {
  home: '/',
  companies: '/companiesLP4358',
  teams: '/teamsLP678',
  comingSoon: '/coming-soon',
  waitlist: '/waitlist',
} as const

export type SitePath = (typeof SITE_PATHS)[keyof typeof SITE_PATHS]

/** The path of a public page in a language: `/de/waitlist`, and `/de` for the homepage. English has no prefix. */
export function sitePathIn(language: Language, path: string): string {
  if (language === 'en') return path
  return path === '/' ? `/${language}` : `/${language}${path}`
}

/** The language of a public page by its path. */
export function siteLanguageOf(path: string): Language {
  const [, first] = path.split(/[/?#]/)
  return isLanguage(first) ? first : 'en'
}

/** Pages with texts of the administrator, else with those that come with deeb. */
export const LEGAL_PATHS = {
  privacy: '/privacy',
  terms: '/terms',
  imprint: '/imprint',
} as const

export type LegalPath = (typeof LEGAL_PATHS)[keyof typeof LEGAL_PATHS]

/** Placeholder for that text in built pages. */
export const LEGAL_TEXT_PLACEHOLDER = 'LEGAL-TEXT-PLACEHOLDER'

/** The page that stops emails about connection requests. Emails link to it, with a signed token as query. */
export const UNSUBSCRIBE_PATH = '/unsubscribe'

/** The folder of calendars: `/cal/<token>.ics`, for anyone with the link. */
export const CALENDAR_PATH = '/cal'

/**
 * Placeholder for the origin in built pages, such as in canonical links. The server replaces it with its PUBLIC_URL. No host
 * can have this name.
 */
export const ORIGIN_PLACEHOLDER = 'https://public-url.invalid'
