import { useState } from 'react'
import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { emulateTimeZone } from '../ui/testing/emulated-time-zone.ts'
import { TimeField } from './TimeField.tsx'

test('a date typed digit by digit does not change the time', async () => {
  // While the year is typed, the field has the years 2, 20 and 202, when Berlin was 53 minutes and 28 seconds ahead.
  await emulateTimeZone('Europe/Berlin')
  let value: Date | null = new Date('2026-05-11T09:05')
  function Corrected() {
    const [moment, setMoment] = useState<Date | null>(value)
    value = moment
    return <TimeField label="Start" value={moment} onChange={setMoment} />
  }
  await render(<Corrected />)
  await userEvent.keyboard('{Tab}06152026')
  expect(value?.toISOString()).toBe('2026-06-15T07:05:00.000Z')
})
