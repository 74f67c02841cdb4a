import { MAX_TOKENS, type PersonalToken } from '@deeb/core/tokens/api'
import { useRef, useState } from 'react'
import { ShownOnceDialog } from '../account/ShownOnceDialog.tsx'
import { useSignInInfo } from '../account/sign-in-queries.ts'
import { ListState } from '../account/sign-in-settings/ListState.tsx'
import { Row, Section } from '../account/sign-in-settings/Section.tsx'
import { useProof } from '../account/use-proof.tsx'
import { dateText, timeOrDayText } from '../local-time.ts'
import { serverNow } from '../server-clock.ts'
import { Button } from '../ui/Button.tsx'
import { FormDialog } from '../ui/FormDialog.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { showFailure, showToast } from '../ui/toast.ts'
import { useFocusAfterRemoval } from '../ui/use-focus-after-removal.ts'
import { ConnectDialog } from './ConnectDialog.tsx'
import { SCOPE_TEXTS } from './scope-texts.ts'
import { type TokenFailure, useChangeTokens, useTokens } from './tokens-queries.ts'

const FAILURES: Record<TokenFailure, string> = {
  'proof needed': 'The app was not connected. Please try again.',
  'too many': `You have ${MAX_TOKENS} connected apps, the most that an account can have. Disconnect one first.`,
  'too often': 'Too many new tokens. Wait a while and try again.',
  failed: 'The app was not connected. Please try again.',
}

/** The apps that use deeb as this user, each by a personal access token. */
export default function ConnectedApps() {
  // `withProof` reads whether a proof is needed.
  useSignInInfo()
  const read = useTokens()
  const { create } = useChangeTokens()
  const { withProof, proofDialog } = useProof()
  const [isConnecting, setIsConnecting] = useState(false)
  const [token, setToken] = useState<string | null>(null)
  const list = useRef<HTMLUListElement>(null)
  useFocusAfterRemoval(list, 'h2')
  const tokens = read.data?.tokens

  async function connect(app: Parameters<typeof create>[0]): Promise<boolean> {
    const outcome = await withProof(() => create(app))
    if (outcome === undefined) return false
    if (typeof outcome === 'string') {
      showFailure(FAILURES[outcome])
      return false
    }
    setToken(outcome.token)
    return true
  }
  return (
    <main className="column flex-1 pb-5">
      <Section
        title="Your apps"
        note="A command line, a light on your desk or an assistant can use deeb in your name, within what you allow."
      >
        <ListState read={read} />
        <ul ref={list} className={tokens?.length ? 'mt-5 border-t border-line' : undefined}>
          {tokens?.map((token) => (
            <AppRow key={token.id} token={token} />
          ))}
        </ul>
        {tokens?.length === 0 ? <p className="mt-5 text-body">No app is connected.</p> : null}
        {tokens ? (
          <p className="mt-5">
            <Button kind="primary" size="list" onClick={() => setIsConnecting(true)}>
              Connect an app
            </Button>
          </p>
        ) : null}
        <p className="mt-5 text-note text-pretty text-soft">
          No app can change your account, your sign-in or your company. All are disconnected when you sign out
          everywhere else, set a new password, change your email or leave your company.
        </p>
      </Section>
      {isConnecting ? <ConnectDialog onConnect={connect} onClose={() => setIsConnecting(false)} /> : null}
      {proofDialog}
      {token ? (
        <ShownOnceDialog
          title="The token of this app"
          description="Paste it into the app."
          label="Token"
          value={token}
          onClose={() => setToken(null)}
        />
      ) : null}
    </main>
  )
}

function AppRow({ token: { id, name, ...token } }: { token: PersonalToken }) {
  const { revoke } = useChangeTokens()
  const [isAsking, setIsAsking] = useState(false)
  async function disconnect(): Promise<boolean> {
    const isDone = (await revoke(id)) === 'done'
    if (isDone) showToast({ title: `${name} disconnected`, tone: 'success' })
    else showFailure('The app was not disconnected. Please try again.')
    return isDone
  }
  return (
    <Row name={name} note={noteOf(token)}>
      <TextButton aria-label={`Disconnect ${name}`} tone="destructive" onClick={() => setIsAsking(true)}>
        Disconnect
      </TextButton>
      {isAsking ? (
        <FormDialog
          title={`Disconnect ${name}?`}
          description="Its token stops working immediately."
          action="Disconnect"
          kind="destructive"
          onSubmit={disconnect}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </Row>
  )
}

/** What the app may do, when it did last, and until when. */
function noteOf({ scopes, lastUsedAt, expiresAt }: Omit<PersonalToken, 'id' | 'name'>): string {
  const expiry = new Date(expiresAt)
  const isOver = expiry <= serverNow()
  // The server notes it once an hour.
  const used = lastUsedAt ? `Last used at about ${timeOrDayText(new Date(lastUsedAt), serverNow())}.` : 'Not used yet.'
  const may = `May ${scopes.map((scope) => SCOPE_TEXTS[scope]).join('; ')}.`
  return `${may} ${used} ${isOver ? 'Expired' : 'Expires'} on ${dateText(expiry)}.`
}
