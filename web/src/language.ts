import type { Language } from '@deeb/core/languages'

declare global {
  /** Defined by the build, which makes one app per language. Empty on the dev server and in tests, where the page says it. */
  const __LANGUAGE__: string
}

/** Undefined in Node, which renders the public pages. */
const page = globalThis.document as Document | undefined

/** The language of this page. Tests also use pseudo-locales. */
export const LANGUAGE = (__LANGUAGE__ || page?.documentElement.lang || 'en') as Language

/**
 * The locale of dates, times and numbers: the language with the browser's region, such as `en-DE`. The region decides between 12 and 24
 * hours. Without a page the language alone: the region of a machine that builds says nothing about readers.
 */
export const FORMAT_LOCALE = localeWith(page && regionOf(navigator.languages))

function regionOf(tags: readonly string[]): string | undefined {
  return tags.map((tag) => new Intl.Locale(tag).region).find((region) => region !== undefined)
}

function localeWith(region: string | undefined): string {
  return region ? new Intl.Locale(LANGUAGE, { region }).toString() : LANGUAGE
}
