/*
 * What all compiled texts import. In place of Paraglide's own runtime, which also reads cookies and rewrites URLs. A web build has the texts
 * of one language only and does not load this (web/one-language.ts).
 */

export const experimentalStaticLocale = undefined

let language

/** Sets the language of texts for a whole process, such as the CLI. */
export function setLanguage(tag) {
  language = tag
}

/** The language of a text whose call names none: the language of the process, else of the page, else English. */
export function getLocale() {
  return language ?? globalThis.document?.documentElement.lang ?? 'en'
}
