import { createCase, type readCases, revokeCase } from '@deeb/core/cases/api'
import { caseLink, MAX_CASES } from '@deeb/core/cases/case'
import type { OutputOf } from '@deeb/core/endpoint'
import * as texts from '@deeb/texts/cases'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ListState } from '../account/sign-in-settings/ListState.tsx'
import { Row } from '../account/sign-in-settings/Section.tsx'
import { ApiError, api } from '../calls/api.ts'
import { dateText } from '../device/local-date.ts'
import { timeText } from '../device/local-time.ts'
import { SERVER } from '../device/platform.ts'
import { Button } from '../ui/Button.tsx'
import { Explained } from '../ui/Explained.tsx'
import { FormDialog } from '../ui/FormDialog.tsx'
import { CasePicture } from '../ui/pictures.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { showFailure, showToast } from '../ui/toast.ts'
import { useFocusAfterRemoval } from '../ui/use-focus-after-removal.ts'
import { CASES_KEY, useCases } from './cases-queries.ts'
import { NewCaseDialog } from './NewCaseDialog.tsx'

type Case = OutputOf<typeof readCases>['cases'][number]

/** The codes for cases of the user, and a new one. */
export default function YourCase() {
  const read = useCases()
  const queryClient = useQueryClient()
  const [isMaking, setIsMaking] = useState(false)
  const [link, setLink] = useState<string>()
  const [revoked, setRevoked] = useState<Case>()
  const list = useRef<HTMLUListElement>(null)
  useFocusAfterRemoval(list, 'h1')
  const cases = read.data?.cases
  const refetch = () => queryClient.invalidateQueries({ queryKey: CASES_KEY })

  async function make(): Promise<void> {
    setIsMaking(true)
    try {
      const { code } = await api(createCase, {})
      setLink(caseLink(SERVER || window.location.origin, code))
    } catch (error) {
      showFailure(makeFailure(error))
    }
    setIsMaking(false)
    await refetch()
  }

  async function revoke({ id }: Case): Promise<boolean> {
    try {
      await api(revokeCase, { id })
      showToast({ title: texts.revoked(), tone: 'success' })
      await refetch()
      return true
    } catch {
      showFailure(texts.revokeFailed())
      return false
    }
  }
  return (
    <Explained
      line={texts.intro()}
      picture={<CasePicture />}
      safe={[texts.opensNothing(), texts.asksFirst(), texts.lost()]}
    >
      <div className="pt-2">
        <ListState read={read} />
        <ul ref={list} aria-label={texts.yourCodes()}>
          {cases?.map((one) => (
            <Row key={one.id} name={texts.since({ day: momentText(one) })}>
              <TextButton
                tone="destructive"
                aria-label={texts.revokeThis({ day: momentText(one) })}
                onClick={() => setRevoked(one)}
              >
                {texts.revoke()}
              </TextButton>
            </Row>
          ))}
        </ul>
        {!cases ? null : cases.length < MAX_CASES ? (
          <p className="mt-3">
            <Button
              kind={cases.length === 0 ? 'primary' : 'secondary'}
              size="list"
              busy={isMaking}
              onClick={() => void make()}
            >
              {texts.makeCode()}
            </Button>
          </p>
        ) : (
          <p className="mt-3 text-note text-soft">{texts.maximum({ count: MAX_CASES })}</p>
        )}
      </div>
      {link ? <NewCaseDialog link={link} onClose={() => setLink(undefined)} /> : null}
      {revoked ? (
        <FormDialog
          title={texts.revokeQuestion()}
          description={texts.revokeNote()}
          action={texts.revokeCode()}
          kind="destructive"
          onSubmit={() => revoke(revoked)}
          onClose={() => setRevoked(undefined)}
        />
      ) : null}
    </Explained>
  )
}

/** With the time: codes of one day must differ. */
function momentText({ since }: Case): string {
  return `${dateText(new Date(since))}, ${timeText(new Date(since))}`
}

function makeFailure(error: unknown): string {
  const code = error instanceof ApiError ? error.code : undefined
  if (code === 'too_many_cases') return texts.maximum({ count: MAX_CASES })
  return code === 'too_many_attempts' ? texts.tooOften() : texts.makeFailed()
}
