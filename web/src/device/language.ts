import type { Language } from '@deeb/core/languages'
import { getLocale } from '@deeb/texts/runtime'

declare global {
  /** Defined by the build, which makes one app per language. Empty on the dev server and in tests. */
  const __LANGUAGE__: string
}

/** Undefined in Node, which renders the public pages, and in the service worker. */
const page = (globalThis as { document?: { documentElement: { lang: string } } }).document

/** The language of this page. Tests also use pseudo-locales. */
export const LANGUAGE = (__LANGUAGE__ || getLocale()) as Language

/**
 * The locale of dates, times and numbers: the language with the browser's region, such as `en-DE`. The region decides between 12 and 24
 * hours. In Node the language alone: the region of a machine that builds says nothing about readers.
 */
export const FORMAT_LOCALE = /* @__PURE__ */ localeOf(page || 'clients' in globalThis ? navigator.languages : [])

/** The region of the same language counts: `en-US` behind `de` says nothing about German times. */
function localeOf(tags: readonly string[]): string {
  const locales = tags.flatMap(parsed)
  const { region } = locales.find(({ language }) => language === LANGUAGE) ?? locales.find((one) => one.region) ?? {}
  return region ? new Intl.Locale(LANGUAGE, { region }).toString() : LANGUAGE
}

/** Some systems report tags that are not valid, such as `en-US@posix`. */
function parsed(tag: string): Intl.Locale[] {
  try {
    return [new Intl.Locale(tag)]
  } catch {
    return []
  }
}
