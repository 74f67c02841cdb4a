import { expect, test } from 'vitest'
import { LANGUAGES, type Language } from '../languages.ts'
import { statusText } from './status-text.ts'

test('the text of a status names the end of the target in the time zone of the session', () => {
  const until = new Date('2026-06-15T08:45:00Z')
  expect(statusText(null, until, 'Europe/Berlin', 'en')).toBe('in deeb mode until ~10:45')
  expect(statusText('writing', until, 'Asia/Kathmandu', 'en')).toBe('writing until ~14:30')
})

test('the text of a status without a target is the words alone', () => {
  expect(statusText(null, null, 'UTC', 'en')).toBe('in deeb mode')
})

test('the text of a status is right in the hour that a clock change repeats', () => {
  expect(statusText(null, new Date('2026-10-25T01:30:00Z'), 'Europe/Berlin', 'en')).toBe('in deeb mode until ~02:30')
})

const STATUSES: Record<Language, string> = {
  en: 'in deeb mode until ~09:05',
  de: 'im deeb-Modus bis ~09:05',
  fr: 'en mode deeb jusqu’à ~09:05',
  es: 'en modo deeb hasta ~09:05',
  it: 'in modalità deeb fino alle ~09:05',
}

test.each(LANGUAGES)('the text of a status in the language "%s"', (language) => {
  const until = new Date('2026-06-15T07:05:00Z')
  expect(statusText(null, until, 'Europe/Berlin', language)).toBe(STATUSES[language])
})
