import { APP_PATHS } from '../paths.ts'

/** The names under which a sign-up sends more than its address and password, in its `data`. The account keeps neither. */
export const SIGN_UP_DATA = {
  /**
   * The secret of the circle that the person joins when the address is confirmed: the button to sign up said so. Also a parameter in
   * the fragment of the confirmation link, which may be opened on another device.
   */
  join: 'join',
  /** A random secret of the browser that signs up, in the form of a circle's. It confirms the sign-up in place of the password. */
  browser: 'deeb_browser',
} as const

/** The form of a random secret: 128 bits in base64url. */
const SECRET = /^[\w-]{22}$/
/** The secret of a circle, the signature of the person who sends the link, or one after the other. */
const FRAGMENT = /^#?([\w-]{22})?([\w-]{48})?$/

export function isSecret(text: unknown): text is string {
  return typeof text === 'string' && SECRET.test(text)
}

/** A link that invites to a circle, or to a company. */
export interface Invitation {
  /** The secret of the circle; null in the link of a company. */
  circle: string | null
  /** Signed by the server: who sends the link. The link of a company is nothing else. */
  signature: string | null
}

/** The invitation in the fragment of a link, with or without `#`. Null if it has another form. */
export function invitationOf(fragment: string): Invitation | null {
  const [, circle = null, signature = null] = FRAGMENT.exec(fragment) ?? []
  return circle === null && signature === null ? null : { circle, signature }
}

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** The id of the user who sends a link: the first 128 bits of its signature, right or not. */
export function senderOf(signature: string): string {
  const bits = [...signature.slice(0, 22)]
    .map((digit) => BASE64URL.indexOf(digit).toString(2).padStart(6, '0'))
    .join('')
  const hex = (bits.slice(0, 128).match(/.{4}/g) ?? []).map((four) => Number.parseInt(four, 2).toString(16)).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** The link that invites to a company. The signature is in the fragment, which no server receives or logs. */
export function companyLink(origin: string, signature: string): string {
  return `${origin}${APP_PATHS.invite}#${signature}`
}

/** The link that shows a circle and lets people join it. `signature` names who sends it. */
export function circleLink(origin: string, secret: string, signature = ''): string {
  return `${origin}${APP_PATHS.circle}#${secret}${signature}`
}
