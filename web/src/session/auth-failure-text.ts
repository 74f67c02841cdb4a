import * as texts from '@deeb/texts/authFailures'

/** The message of a refusal by the account service, in the language of this page. The server's own if its code is unknown. */
export function authFailureText(code: string, message: string): string {
  for (const [pattern, text] of DETAILED) {
    const found = pattern.exec(message)
    if (found) return text(found[1] ?? '')
  }
  return BY_CODE[code]?.() ?? message
}

/** Messages that say more than their code. */
const DETAILED: [pattern: RegExp, text: (detail: string) => string][] = [
  [/^Please enter a valid email address\.$/, () => texts.emailInvalid()],
  [/^Enter a password\.$/, () => texts.passwordMissing()],
  [/^Use at most (\d+) characters for the password\.$/, (max) => texts.passwordTooLong({ max })],
  [/^Use at least (\d+) characters for the password\.$/, (min) => texts.passwordTooShort({ min })],
  [/^This password is too common\./, () => texts.passwordCommon()],
  [/^This password has only one or two different characters\./, () => texts.passwordFewCharacters()],
  [/^This password repeats a pattern\./, () => texts.passwordRepeats()],
  [/^This password is mostly our name or your email address\./, () => texts.passwordIsName()],
  [/^This password contains a keyboard or alphabet sequence\./, () => texts.passwordSequence()],
  [/ Try again in (\d+) seconds?\.$/, (seconds) => texts.tooManyAttemptsSeconds({ count: Number(seconds) })],
  [/ Try again in (\d+) minutes?\.$/, (minutes) => texts.tooManyAttemptsMinutes({ count: Number(minutes) })],
  [/^The code is wrong\.$/, () => texts.codeWrong()],
  [/^The sign-in of (.+) does not answer right now\./, (company) => texts.companySilent({ company })],
  [/^We have sent a code to (.+)\.$/, (email) => texts.codeSentTo({ email })],
]

/** Every code of the server's auth-error.ts. */
const BY_CODE: Record<string, () => string> = {
  validation_failed: texts.validationFailed,
  bad_code_verifier: texts.badCodeVerifier,
  bad_json: texts.badJson,
  invalid_credentials: texts.invalidCredentials,
  email_not_confirmed: texts.emailNotConfirmed,
  user_banned: texts.userBanned,
  refresh_token_not_found: texts.refreshTokenNotFound,
  refresh_token_already_used: texts.refreshTokenUsed,
  session_expired: texts.sessionExpired,
  current_password_required: texts.currentPasswordRequired,
  current_password_invalid: texts.currentPasswordInvalid,
  reauthentication_needed: texts.reauthenticationNeeded,
  webauthn_challenge_not_found: texts.challengeNotFound,
  webauthn_challenge_expired: texts.challengeExpired,
  webauthn_verification_failed: texts.passkeyNotVerified,
  insufficient_aal: texts.secondFactorNeeded,
  no_authorization: texts.noAuthorization,
  bad_jwt: texts.badJwt,
  session_not_found: texts.sessionNotFound,
  mfa_verification_rejected: texts.tooManyWrongCodes,
  otp_expired: texts.linkExpired,
  mfa_factor_not_found: texts.factorNotFound,
  passkey_disabled: texts.passkeysDisabled,
  webauthn_credential_not_found: texts.passkeyNotFound,
  flow_state_not_found: texts.signInNotFound,
  identity_not_found: texts.identityNotFound,
  sso_provider_not_found: texts.companyNotFound,
  not_found: texts.urlNotFound,
  another_account: texts.otherAccount,
  body_too_large: texts.bodyTooLarge,
  json_required: texts.jsonRequired,
  over_request_rate_limit: texts.tooManyAttempts,
  over_email_send_rate_limit: texts.tooManyAttempts,
  email_address_not_authorized: texts.companyAccountRefused,
  flow_state_expired: texts.signInTooSlow,
  identity_already_exists: texts.identityExists,
  provider_email_needs_verification: texts.mailedCodeNeeded,
  user_sso_managed: texts.accountOfCompany,
  second_factor_required: texts.secondFactorRequired,
  same_password: texts.samePassword,
  mfa_challenge_expired: texts.codeRequestExpired,
  mfa_factor_name_conflict: texts.factorNameTaken,
  mfa_phone_enroll_not_enabled: texts.phonesDisabled,
  mfa_recovery_codes_sole_factor: texts.appNeededFirst,
  mfa_verified_factor_exists: texts.recoveryCodesExist,
  mfa_verification_failed: texts.codeWrong,
  mfa_webauthn_enroll_not_enabled: texts.securityKeysDisabled,
  too_many_enrolled_mfa_factors: texts.tooManyFactors,
  too_many_passkeys: texts.tooManyPasskeys,
  webauthn_credential_exists: texts.passkeyRegistered,
  otp_disabled: texts.emailLinksDisabled,
  web3_provider_disabled: texts.walletsDisabled,
  signup_disabled: texts.signUpsDisabled,
  single_identity_not_deletable: texts.onlyIdentity,
  weak_password: texts.passwordWeak,
  anonymous_provider_disabled: texts.emailMissing,
  unexpected_failure: texts.serverBusy,
}
