import { FORMAT_LOCALE } from './language.ts'

/** `requests, end of session`. */
export function listText(items: readonly string[]): string {
  return new Intl.ListFormat(FORMAT_LOCALE, { type: 'unit' }).format(items)
}
