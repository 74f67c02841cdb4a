import '../ui/chip.css'
import * as texts from '@deeb/texts/team'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { NEVER_EVICTED } from '../focus/focus-cache.ts'
import type { TeamCircle } from './members.ts'

/** In the query cache, so that it is cleared together with the user's data. */
const KEY = ['circle-filter']

/** The circle that the team screen shows, null for everybody. Remembered while the app is open. */
export function useCircleFilter(circles: readonly TeamCircle[]): [string | null, (circleId: string | null) => void] {
  const queryClient = useQueryClient()
  const [chosen, setChosen] = useState(() => queryClient.getQueryData<string | null>(KEY) ?? null)
  function choose(circleId: string | null): void {
    queryClient.setQueryDefaults(KEY, { gcTime: NEVER_EVICTED })
    queryClient.setQueryData(KEY, circleId)
    setChosen(circleId)
  }
  return [circles.some(({ id }) => id === chosen) ? chosen : null, choose]
}

interface CircleFilterProps {
  circles: readonly TeamCircle[]
  value: string | null
  onChange: (circleId: string | null) => void
}

/** A radio group: everybody, or the people of one circle. */
export function CircleFilter({ circles, value, onChange }: CircleFilterProps) {
  return (
    <fieldset className="circle-filter">
      <legend className="sr-only">{texts.show()}</legend>
      {[{ id: null, name: texts.all() }, ...circles].map(({ id, name }) => (
        <label key={id} className="chip">
          <input type="radio" name="circle" className="sr-only" checked={value === id} onChange={() => onChange(id)} />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  )
}
