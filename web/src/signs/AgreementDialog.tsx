import type { Agreement, SignCircle } from '@deeb/core/signs/api'
import { useState } from 'react'
import { FormDialog } from '../ui/FormDialog.tsx'
import { useAgreeToSign } from './signs-queries.ts'

const CHOICES: [Agreement, string][] = [
  ['nothing', 'Not on the sign'],
  ['dot', 'A dot without my name'],
  ['name', 'A dot, with my name once all on the sign agreed to theirs'],
]

/** Asks what the sign of a circle shows of the user, and says who could tell whose dot it is. */
export function AgreementDialog({ circle, onClose }: { circle: SignCircle; onClose: () => void }) {
  const { sign } = circle
  const agree = useAgreeToSign()
  const [agreement, setAgreement] = useState<Agreement>(sign?.mine ?? 'nothing')
  if (!sign) return null
  const others = sign.agreed - (sign.mine === 'nothing' ? 0 : 1)
  return (
    <FormDialog
      title={`You on the sign of ${circle.name}`}
      description={`Everybody who passes by “${sign.label}”, and anyone who has its link, sees your dot: whether you are in deeb mode. People from whom you hide see it too.`}
      action="Save"
      onSubmit={() => agree(sign.id, agreement)}
      onClose={onClose}
    >
      <fieldset>
        <legend className="text-label">The sign shows of me</legend>
        {CHOICES.map(([value, label]) => (
          <label key={value} className="flex min-h-11 items-center gap-x-3 text-body">
            <input
              type="radio"
              name="agreement"
              className="size-5 flex-none accent-ink"
              checked={agreement === value}
              onChange={() => setAgreement(value)}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <p className="text-note text-pretty text-soft">{inferenceText(others)}</p>
    </FormDialog>
  )
}

/** What a dot without a name tells people who know who is on the sign. */
function inferenceText(others: number): string {
  const end = 'You can change this at any time; it takes effect immediately.'
  if (others === 0) return `Nobody else is on it: your dot is then you, with or without a name. ${end}`
  if (others === 1)
    return `One other member is on it. With two dots, the other member always knows which is yours, and so may others. ${end}`
  return `${others} other members are on it. People who know the circle may still guess whose dot it is. ${end}`
}
