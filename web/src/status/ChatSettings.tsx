import { MAX_WORDS_CHARACTERS, type StatusSystem, testStatus, unlinkStatus, updateStatus } from '@deeb/core/status/api'
import { defaultWords } from '@deeb/core/status/status-text'
import { CHAT_SYSTEM_FACTS, type ChatSystem } from '@deeb/core/status/systems'
import * as texts from '@deeb/texts/status'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../calls/api.ts'
import { serverNow } from '../calls/server-clock.ts'
import { LANGUAGE } from '../device/language.ts'
import { timeText } from '../device/local-time.ts'
import { Button } from '../ui/Button.tsx'
import { FormDialog } from '../ui/FormDialog.tsx'
import { FormError } from '../ui/FormError.tsx'
import { SwitchRow } from '../ui/SwitchRow.tsx'
import { TextField } from '../ui/TextField.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { showFailure, showToast } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { textOf, useSubmit } from '../ui/use-submit.ts'
import { STATUS_KEY } from './status-queries.ts'

type Link = NonNullable<StatusSystem['link']>

/** How a connected chat system shows deeb mode. */
export function ChatSettings({ system, link }: { system: ChatSystem; link: Link }) {
  const { name, parts } = CHAT_SYSTEM_FACTS[system]
  const queryClient = useQueryClient()
  const [busy, run, failure] = useBusy()
  const [isAsking, setIsAsking] = useState(false)
  const { isOn, withDnd, words } = link

  /** Resolves to whether the call succeeded. Then shows what the server has stored. */
  async function change(call: () => Promise<unknown>, failed: string): Promise<boolean> {
    try {
      await call()
      return true
    } catch {
      showFailure(failed)
      return false
    } finally {
      await queryClient.invalidateQueries({ queryKey: STATUS_KEY })
    }
  }
  const save = (changed: Partial<Pick<Link, 'isOn' | 'withDnd' | 'words'>>) =>
    change(() => api(updateStatus, { system, isOn, withDnd, words, ...changed }), texts.settingNotSaved())
  const setForAMinute = () => change(() => api(testStatus, { system }), texts.testFailed())
  async function disconnect(): Promise<boolean> {
    const isDone = await change(() => api(unlinkStatus, { system }), texts.stillConnected({ name }))
    if (isDone) showToast({ title: texts.disconnected({ name }), tone: 'success' })
    return isDone
  }

  const isTesting = link.testUntil !== null && new Date(link.testUntil) > serverNow()
  return (
    <div className="mt-2">
      <p className="text-body text-pretty wrap-anywhere">{connectedText(link)}</p>
      <div className="mt-1 border-b border-line py-1">
        <SwitchRow
          label={texts.showIn({ name })}
          checked={isOn}
          disabled={busy}
          onChange={(isOn) => void run(() => save({ isOn }))}
        />
        {parts.length > 1 ? (
          <SwitchRow
            label={texts.pauseNotifications()}
            checked={withDnd}
            disabled={busy || !isOn}
            onChange={(withDnd) => void run(() => save({ withDnd }))}
          />
        ) : null}
      </div>
      {parts.includes('text') ? <Words name={name} words={words} onSave={(words) => save({ words })} /> : null}
      <p className="mt-4 flex flex-wrap items-center gap-x-4">
        <Button kind="secondary" size="list" busy={busy || isTesting} onClick={() => void run(setForAMinute)}>
          {texts.setForAMinute()}
        </Button>
        <TextButton tone="destructive" aria-label={texts.disconnectFrom({ name })} onClick={() => setIsAsking(true)}>
          {texts.disconnect()}
        </TextButton>
      </p>
      <p role="status" className="mt-1 text-note text-pretty text-soft">
        {isTesting && !isOfTest(link) ? texts.setting() : lastText(link, name)}
      </p>
      <FormError>{failure}</FormError>
      {isAsking ? (
        <FormDialog
          title={texts.disconnectQuestion({ name })}
          description={texts.disconnectNote({ name })}
          action={texts.disconnect()}
          kind="destructive"
          onSubmit={disconnect}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </div>
  )
}

interface WordsProps {
  name: string
  words: string | null
  onSave: (words: string | null) => Promise<boolean>
}

/** The words of the status. Empty: those of deeb. */
function Words({ name, words, onSave }: WordsProps) {
  const { onSubmit, busy, failure } = useSubmit(async (form) => {
    if (await onSave(textOf(form, 'words').trim() || null)) showToast({ title: texts.wordsSaved(), tone: 'success' })
  })
  return (
    <form onSubmit={onSubmit} className="mt-4">
      <TextField
        label={texts.yourWords({ name })}
        name="words"
        defaultValue={words ?? ''}
        placeholder={defaultWords(LANGUAGE)}
        maxLength={MAX_WORDS_CHARACTERS}
        hint={texts.yourWordsHint()}
      />
      <p className="mt-2">
        <Button kind="secondary" size="list" type="submit" busy={busy}>
          {texts.saveWords()}
        </Button>
      </p>
      <FormError>{failure}</FormError>
    </form>
  )
}

function connectedText({ accountName, workspaceName }: Link): string {
  if (accountName && workspaceName) return texts.connectedAsIn({ account: accountName, workspace: workspaceName })
  if (accountName) return texts.connectedAs({ account: accountName })
  return workspaceName ? texts.connectedIn({ workspace: workspaceName }) : texts.connected()
}

/** Whether the last result is that of the test. */
function isOfTest({ last, testUntil }: Link): boolean {
  return last !== null && testUntil !== null && Date.parse(last.at) >= Date.parse(testUntil) - 60_000
}

const LAST_TEXTS = {
  set: texts.setAt,
  cleared: texts.clearedAt,
  left: texts.leftAt,
  later: texts.laterAt,
  failed: texts.failedAt,
}

function lastText({ last }: Link, name: string): string {
  if (last === null) return texts.nothingSet()
  return LAST_TEXTS[last.result]({ name, time: timeText(new Date(last.at)) })
}
