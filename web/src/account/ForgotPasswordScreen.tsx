import { AccountPage, BackToSignIn } from './AccountPage.tsx'
import { sendResetLink } from './auth-queries.ts'
import { EmailForm } from './EmailForm.tsx'

export default function ForgotPasswordScreen() {
  return (
    <AccountPage title="Forgot password">
      <EmailForm action="Send reset link" onSend={sendResetLink} />
      <BackToSignIn />
    </AccountPage>
  )
}
