/* What all compiled texts import. A web build has the texts of one language only and does not load this (web/languages.ts). */

let language

/** Sets the language of texts for a whole process, such as the CLI. */
export function setLanguage(tag) {
  language = tag
}

/** The language of a text whose call names none: the language of the process, else of the page, else English. */
export function getLocale() {
  return language ?? globalThis.document?.documentElement.lang ?? 'en'
}

/** A text in every language: its function by language. */
export function text(byLocale) {
  return (inputs, options) => (byLocale[options?.locale ?? getLocale()] ?? byLocale.en)(inputs)
}
