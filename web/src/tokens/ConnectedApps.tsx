import { agentName } from '@deeb/core/account/agent-name'
import { DEFAULT_DAYS, MAX_TOKENS, type PersonalToken } from '@deeb/core/tokens/api'
import * as texts from '@deeb/texts/tokens'
import { useEffect, useRef, useState } from 'react'
import { ShownOnceDialog } from '../account/ShownOnceDialog.tsx'
import { useSignInInfo } from '../account/sign-in-queries.ts'
import { ListState } from '../account/sign-in-settings/ListState.tsx'
import { Row } from '../account/sign-in-settings/Section.tsx'
import { useProof } from '../account/use-proof.tsx'
import { serverNow } from '../calls/server-clock.ts'
import { dateText, timeOrDayText } from '../device/local-date.ts'
import { Button } from '../ui/Button.tsx'
import { Explained } from '../ui/Explained.tsx'
import { FormDialog } from '../ui/FormDialog.tsx'
import { AppPicture } from '../ui/pictures.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { showFailure, showToast } from '../ui/toast.ts'
import { useFocusAfterRemoval } from '../ui/use-focus-after-removal.ts'
import { BrowserExtension } from './BrowserExtension.tsx'
import { type BrowserConnection, giveToken, takeBrowserConnection } from './browser-connection.ts'
import { CommandLine } from './CommandLine.tsx'
import { ConnectDialog } from './ConnectDialog.tsx'
import { SCOPE_TEXTS } from './scope-texts.ts'
import { type TokenFailure, useChangeTokens, useTokens } from './tokens-queries.ts'

const FAILURES: Record<TokenFailure, () => string> = {
  'proof needed': texts.notConnected,
  'too many': () => texts.tooMany({ count: MAX_TOKENS }),
  'too often': texts.tooOften,
  failed: texts.notConnected,
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
  useFocusAfterRemoval(list, 'h1')
  const tokens = read.data?.tokens

  const [browser, setBrowser] = useState<BrowserConnection | null>(null)
  useEffect(() => {
    const take = () => {
      const fail = () => showFailure(texts.notConnected())
      takeBrowserConnection().then((connection) => connection && setBrowser(connection), fail)
    }
    take()
    // The ring was pressed on this screen.
    window.addEventListener('hashchange', take)
    return () => window.removeEventListener('hashchange', take)
  }, [])

  async function connect(app: Parameters<typeof create>[0]): Promise<string | null> {
    const outcome = await withProof(() => create(app))
    if (typeof outcome === 'string') showFailure(FAILURES[outcome]())
    return typeof outcome === 'object' ? outcome.token : null
  }
  async function connectApp(app: Parameters<typeof create>[0]): Promise<boolean> {
    const made = await connect(app)
    setToken(made)
    return made !== null
  }
  async function connectBrowser(connection: BrowserConnection): Promise<boolean> {
    const name = texts.extensionOf({ browser: agentName(navigator.userAgent, true) })
    const made = await connect({ name, scopes: ['switch'], days: DEFAULT_DAYS })
    if (made !== null) await giveToken(connection, made)
    return made !== null
  }
  return (
    <Explained
      line={texts.intro()}
      picture={<AppPicture />}
      safe={[texts.onlyAllowed(), texts.limitsNote()]}
      folds={
        <>
          <CommandLine />
          <BrowserExtension />
        </>
      }
    >
      <div className="pt-1">
        <ListState read={read} />
        <ul ref={list} aria-label={texts.title()} className={tokens?.length ? 'mt-5 border-t border-line' : undefined}>
          {tokens?.map((token) => (
            <AppRow key={token.id} token={token} />
          ))}
        </ul>
        {tokens ? (
          <p className="mt-5">
            <Button kind="primary" size="list" onClick={() => setIsConnecting(true)}>
              {texts.connectApp()}
            </Button>
          </p>
        ) : null}
      </div>
      {isConnecting ? <ConnectDialog onConnect={connectApp} onClose={() => setIsConnecting(false)} /> : null}
      {browser ? (
        <FormDialog
          title={texts.connectBrowser()}
          description={texts.connectBrowserNote()}
          action={texts.connectThisBrowser()}
          onSubmit={() => connectBrowser(browser)}
          onClose={() => setBrowser(null)}
        />
      ) : null}
      {proofDialog}
      {token ? (
        <ShownOnceDialog
          title={texts.tokenTitle()}
          description={texts.tokenNote()}
          label={texts.token()}
          value={token}
          onClose={() => setToken(null)}
        />
      ) : null}
    </Explained>
  )
}

function AppRow({ token: { id, name, ...token } }: { token: PersonalToken }) {
  const { revoke } = useChangeTokens()
  const [isAsking, setIsAsking] = useState(false)
  async function disconnect(): Promise<boolean> {
    const isDone = (await revoke(id)) === 'done'
    if (isDone) showToast({ title: texts.disconnected({ name }), tone: 'success' })
    else showFailure(texts.notDisconnected())
    return isDone
  }
  return (
    <Row name={name} note={noteOf(token)}>
      <TextButton aria-label={texts.disconnectApp({ name })} tone="destructive" onClick={() => setIsAsking(true)}>
        {texts.disconnect()}
      </TextButton>
      {isAsking ? (
        <FormDialog
          title={texts.disconnectQuestion({ name })}
          description={texts.disconnectNote()}
          action={texts.disconnect()}
          kind="destructive"
          onSubmit={disconnect}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </Row>
  )
}

/** Says what the app may do, when it did last, and until when. */
function noteOf({ scopes, lastUsedAt, expiresAt }: Omit<PersonalToken, 'id' | 'name'>): string {
  const expiry = new Date(expiresAt)
  const isOver = expiry <= serverNow()
  // The server notes it once an hour.
  const used = lastUsedAt ? texts.lastUsed({ time: timeOrDayText(new Date(lastUsedAt), serverNow()) }) : texts.notUsed()
  const [first = '', ...rest] = scopes.map((scope) => SCOPE_TEXTS[scope]())
  const may = texts.may({ scopes: rest.reduce((scopes, scope) => texts.scopeList({ scopes, scope }), first) })
  const expires = isOver ? texts.expiredOn({ date: dateText(expiry) }) : texts.expiresOn({ date: dateText(expiry) })
  return `${may} ${used} ${expires}`
}
