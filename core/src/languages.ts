/** The languages of deeb, English first. Each is a folder of texts/messages. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it'] as const

export type Language = (typeof LANGUAGES)[number]

/** Each language in itself, for a choice. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
}

/** The cookie with the language that a browser has chosen. */
export const LANGUAGE_COOKIE = 'deeb.language'

/** The query of a link that leads to the app in a language. */
export const LANGUAGE_QUERY = 'language'

export function isLanguage(tag: unknown): tag is Language {
  return LANGUAGES.some((language) => language === tag)
}

/** The first language of deeb in a list of BCP 47 tags, such as `navigator.languages`; English if there is none. */
export function languageFor(tags: readonly string[]): Language {
  return tags.map((tag) => tag.split('-')[0]?.toLowerCase()).find(isLanguage) ?? 'en'
}

/** Whether a language is written from right to left. */
export function directionOf(tag: string): 'ltr' | 'rtl' {
  return /^(ar|fa|he|ur)\b/.test(tag) ? 'rtl' : 'ltr'
}
