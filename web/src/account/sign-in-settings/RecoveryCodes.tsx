import * as texts from '@deeb/texts/signInSettings'
import { useQueryClient } from '@tanstack/react-query'
import { authClient } from '../../session/auth-session.ts'
import { FormError } from '../../ui/FormError.tsx'
import { TextButton } from '../../ui/TextLink.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { changeSignIn } from '../sign-in-change.ts'
import { FACTORS_KEY } from '../sign-in-queries.ts'
import type { WithProof } from '../use-proof.tsx'
import { Row } from './Section.tsx'

const FEW = 3

interface RecoveryCodesProps {
  /** How many are left; null if none were made. */
  left: number | null
  withProof: WithProof
  onMade: (codes: string[]) => void
}

/** How many recovery codes are left, and a button that makes new ones. */
export function RecoveryCodes({ left, withProof, onMade }: RecoveryCodesProps) {
  const queryClient = useQueryClient()
  const [busy, run, failure] = useBusy()
  async function make(): Promise<void> {
    const { generate, regenerate } = (await authClient()).mfa.recoveryCodes
    const made = await withProof(() =>
      changeSignIn(texts.codesNotMade(), () => (left === null ? generate() : regenerate())),
    )
    if (typeof made !== 'object') return
    onMade(made.data.codes)
    await queryClient.invalidateQueries({ queryKey: FACTORS_KEY })
  }
  return (
    <>
      <ul>
        <Row name={texts.codes()} note={noteOf(left)}>
          <TextButton aria-busy={busy} onClick={() => void run(make)}>
            {left === null ? texts.makeCodes() : texts.makeNewCodes()}
          </TextButton>
        </Row>
      </ul>
      <FormError>{failure}</FormError>
    </>
  )
}

function noteOf(left: number | null): string {
  if (left === null) return texts.noCodes()
  if (left > FEW) return texts.codesLeft({ left })
  return left === 0 ? texts.noneLeft() : texts.fewLeft({ count: left })
}
