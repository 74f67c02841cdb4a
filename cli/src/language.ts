import { languageFor } from '@deeb/core/languages'
import { getLocale, setLanguage } from '@deeb/texts/runtime'

/** The region of the terminal's times, such as `US`. 24 hours without one. */
let region: string | undefined

/** Sets the language of all texts to that of the terminal: German for `de_DE.UTF-8`, English for `C` and for none. */
export function setLanguageOf({ LC_ALL, LC_MESSAGES, LC_TIME, LANG }: NodeJS.ProcessEnv): void {
  const [language = ''] = (LC_ALL || LC_MESSAGES || LANG || '').split(/[_.@]/)
  setLanguage(languageFor([language]))
  region = /^[a-z]+_([A-Z]{2})\b/.exec(LC_ALL || LC_TIME || LANG || '')?.[1]
}

/** How to write a time of day: with 12 or 24 hours, as in the region of the terminal. */
export function timeFormat(): Intl.DateTimeFormat {
  const locale = region === undefined ? `${getLocale()}-u-hc-h23` : `${getLocale()}-${region}`
  return new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
}
