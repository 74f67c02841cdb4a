import { expect, test } from 'vitest'

test('the first of a month is an ordinal number in French', async () => {
  document.documentElement.lang = 'fr'
  const { dateText, dayText } = await import('./local-date.ts')
  const dates = [new Date('2026-06-01T12:00'), new Date('2026-06-11T12:00')]
  expect(dates.map(dateText)).toEqual(['1er juin 2026', '11 juin 2026'])
  expect(dates.map(dayText)).toEqual(['lundi 1er juin', 'jeudi 11 juin'])
})
