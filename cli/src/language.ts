import { languageFor } from '@deeb/core/languages'
import { setLanguage } from '@deeb/texts/runtime'

/** Sets the language of all texts to that of the terminal: German for `de_DE.UTF-8`, English for `C` and for none. */
export function setLanguageOf({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): void {
  const [language = ''] = (LC_ALL || LC_MESSAGES || LANG || '').split(/[_.@]/)
  setLanguage(languageFor([language]))
}
