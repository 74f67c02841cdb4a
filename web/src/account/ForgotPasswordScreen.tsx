import * as texts from '@deeb/texts/links'
import { useState } from 'react'
import { withElements } from '../ui/with-elements.tsx'
import { AccountPage, BackToSignIn } from './AccountPage.tsx'
import Address from './Address.tsx'
import { sendResetLink } from './auth-queries.ts'
import { EmailForm } from './EmailForm.tsx'
import SentLinkNote from './SentLinkNote.tsx'
import { forgetSentLink, rememberSentLink, sentLinkTo } from './sent-link.ts'

export default function ForgotPasswordScreen() {
  const [sentTo, setSentTo] = useState(() => sentLinkTo('recovery'))
  /** The address to correct, after "Wrong address?". */
  const [wrong, setWrong] = useState<string>()
  async function send(email: string): Promise<boolean> {
    const isSent = await sendResetLink(email)
    if (isSent) {
      rememberSentLink('recovery', email)
      setSentTo(email)
    }
    return isSent
  }
  function correct(): void {
    forgetSentLink()
    setWrong(sentTo)
    setSentTo(undefined)
  }
  return (
    <AccountPage title={texts.forgotPasswordTitle()}>
      {sentTo === undefined ? (
        <EmailForm isFirst action={texts.sendResetLink()} onSend={send} defaultEmail={wrong} />
      ) : (
        <SentLinkNote email={sentTo} onSend={sendResetLink} onWrongAddress={correct}>
          {withElements(texts.resetLinkSent, { email: <Address>{sentTo}</Address> })}
        </SentLinkNote>
      )}
      <BackToSignIn />
    </AccountPage>
  )
}
