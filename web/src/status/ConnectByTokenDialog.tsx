import { linkStatusByToken } from '@deeb/core/status/api'
import { CHAT_SYSTEM_FACTS } from '@deeb/core/status/systems'
import * as texts from '@deeb/texts/status'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { WithProof } from '../account/use-proof.tsx'
import { ApiError, api } from '../calls/api.ts'
import { FormDialog } from '../ui/FormDialog.tsx'
import { TextField } from '../ui/TextField.tsx'
import { showFailure, showToast } from '../ui/toast.ts'
import { textOf } from '../ui/use-submit.ts'
import { STATUS_KEY } from './status-queries.ts'

interface ConnectByTokenProps {
  system: 'mattermost' | 'zulip'
  withProof: WithProof
  onClose: () => void
}

const HINTS = { mattermost: texts.mattermostHint, zulip: texts.zulipHint }

/** Asks for the address of a chat server and for a token. */
export function ConnectByTokenDialog({ system, withProof, onClose }: ConnectByTokenProps) {
  const queryClient = useQueryClient()
  const [wrongServer, setWrongServer] = useState<string>()
  const { name } = CHAT_SYSTEM_FACTS[system]

  async function connect(form: FormData): Promise<boolean> {
    setWrongServer(undefined)
    const [server, token, email] = [textOf(form, 'server'), textOf(form, 'token'), textOf(form, 'email')]
    const input = { system, server, token, ...(system === 'zulip' && { email }) }
    const outcome = await withProof(async () => {
      try {
        await api(linkStatusByToken, input)
        return 'done'
      } catch (error) {
        const code = error instanceof ApiError ? error.code : 'unavailable'
        return code === 'proof_needed' ? 'proof needed' : code
      }
    })
    if (outcome === 'done') {
      showToast({ title: texts.connectedToast({ name }), tone: 'success' })
      await queryClient.invalidateQueries({ queryKey: STATUS_KEY })
      return true
    }
    if (outcome === 'invalid_input') setWrongServer(texts.notAServer())
    else if (outcome === 'chat_unavailable') setWrongServer(texts.noAnswer())
    else if (outcome === 'chat_refused') showFailure(texts.tokenRefused({ name }))
    else if (outcome === 'chat_taken') showFailure(texts.accountTaken())
    else if (outcome !== undefined) showFailure(texts.connectFailed({ name }))
    return false
  }

  return (
    <FormDialog title={texts.connectTo({ name })} action={texts.connect()} onSubmit={connect} onClose={onClose}>
      <TextField
        label={texts.server()}
        name="server"
        inputMode="url"
        placeholder={`${system}.example.com`}
        required
        maxLength={200}
        error={wrongServer}
      />
      {system === 'zulip' ? (
        <TextField label={texts.emailInZulip()} name="email" type="email" autoComplete="off" required maxLength={200} />
      ) : null}
      <TextField
        label={system === 'zulip' ? texts.apiKey() : texts.personalToken()}
        name="token"
        type="password"
        autoComplete="off"
        required
        maxLength={200}
        hint={HINTS[system]()}
      />
    </FormDialog>
  )
}
