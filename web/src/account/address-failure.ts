import * as texts from '@deeb/texts/signIn'
import { isAuthApiError } from '../session/auth-errors.ts'
import { showToast } from '../ui/toast.ts'
import { showAuthFailure, showUnexpected } from './auth-failure.ts'

/**
 * Shows why a call with a typed address failed, like showAuthFailure(). If only its company signs it in, the toast has a button that
 * leads there.
 */
export function showAddressFailure(title: string, error: Error, email: string): void {
  if (!isAuthApiError(error) || error.code !== 'user_sso_managed') {
    showAuthFailure(title, error)
    return
  }
  const domain = email.slice(email.lastIndexOf('@') + 1).trim()
  const onPress = () => {
    import('./company-sign-in.ts').then(({ signInByCompany }) => signInByCompany(domain)).catch(showUnexpected)
  }
  showToast({
    title,
    description: texts.companyManages(),
    tone: 'destructive',
    action: { label: texts.continueWithYourCompany(), onPress },
  })
}
