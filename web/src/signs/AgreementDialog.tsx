import type { Agreement, SignCircle } from '@deeb/core/signs/api'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/signs'
import { useState } from 'react'
import { FormDialog } from '../ui/FormDialog.tsx'
import { useAgreeToSign } from './signs-queries.ts'

const CHOICES: [Agreement, () => string][] = [
  ['nothing', texts.choiceNothing],
  ['dot', texts.choiceDot],
  ['name', texts.choiceName],
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
      title={texts.agreementTitle({ name: circle.name })}
      description={texts.agreementNote({ label: sign.label })}
      action={commonTexts.save()}
      onSubmit={() => agree(sign.id, agreement)}
      onClose={onClose}
    >
      <fieldset>
        <legend className="text-label">{texts.showsOfMe()}</legend>
        {CHOICES.map(([value, label]) => (
          <label key={value} className="flex min-h-11 items-center gap-x-3 py-2 text-body">
            <input
              type="radio"
              name="agreement"
              className="size-5 flex-none accent-ink"
              checked={agreement === value}
              onChange={() => setAgreement(value)}
            />
            {label()}
          </label>
        ))}
      </fieldset>
      <p className="text-note text-pretty text-soft">{inferenceText(others)}</p>
    </FormDialog>
  )
}

/** Says what a dot without a name tells people who know who is on the sign. */
function inferenceText(others: number): string {
  if (others === 0) return texts.onlyYou()
  return others === 1 ? texts.oneOther() : texts.others({ count: others })
}
