import type { Language } from '@deeb/core/languages'

declare global {
  /** Defined by the build, which makes one app per language. Empty on the dev server and in tests, where the page says it. */
  const __LANGUAGE__: string
}

/** The language of this page. Tests also use pseudo-locales. */
export const LANGUAGE = (__LANGUAGE__ || document.documentElement.lang || 'en') as Language

/**
 * The locale of dates, times and numbers: the language with the browser's region, such as `en-DE`. The region decides between 12 and 24
 * hours.
 */
export const FORMAT_LOCALE = localeWith(regionOf(navigator.languages))

function regionOf(tags: readonly string[]): string | undefined {
  return tags.map((tag) => new Intl.Locale(tag).region).find((region) => region !== undefined)
}

function localeWith(region: string | undefined): string {
  return region ? new Intl.Locale(LANGUAGE, { region }).toString() : LANGUAGE
}
