/** The WHATWG URL parser of Node and browsers. Declared here, since core has no DOM types. */
declare const URL: new (url: string) => { readonly hostname: string }

const MAX_CHARACTERS = 254
/** Limit of the typed text in UTF-16 units. Checked first, since Punycode takes quadratic time (denial of service). */
const MAX_TYPED_LENGTH = 320
const MAX_LOCAL_CHARACTERS = 64

/** The dot-atom of RFC 5322: no quotes, comments, spaces or control characters, only single dots between other characters. */
const DOT_ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/

/** Labels of letters of any script, marks, digits and hyphens, joined by single dots. At least two labels. */
const DOMAIN_AS_TYPED = /^[\p{L}\p{M}\p{Nd}-]+(?:\.[\p{L}\p{M}\p{Nd}-]+)+$/u

/** A DNS host name. Its top-level domain begins with a letter, which excludes IP addresses. */
const DOMAIN_IN_ASCII = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Normalizes an address to the form that is saved and compared: trimmed, lower case, the domain in ASCII (`ann@müller.de` is
 * `ann@xn--mller-kva.de`). Null if it is invalid.
 *
 * The grammar is narrower than that of mail servers: where two parsers disagree, email can reach a stranger. Dots and plus tags
 * stay, since only some providers ignore them and two addresses may be two people.
 */
export function parseEmail(text: string): string | null {
  if (text.length > MAX_TYPED_LENGTH) return null
  const [local, typedDomain, ...more] = text.trim().split('@')
  if (local === undefined || typedDomain === undefined || more.length > 0) return null

  // Checks for ASCII before lower-casing: lower case of the Kelvin sign is an ordinary k, which is another mailbox.
  if (!DOT_ATOM.test(local) || local.length > MAX_LOCAL_CHARACTERS) return null

  const domain = domainInAscii(typedDomain)
  if (domain === null) return null
  const email = `${local.toLowerCase()}@${domain}`
  return email.length <= MAX_CHARACTERS ? email : null
}

function domainInAscii(typed: string): string | null {
  // The URL parser interprets `host/path`, `host:25` and `%61`, so it gets only letters, digits, dots and hyphens.
  if (!DOMAIN_AS_TYPED.test(typed)) return null
  const domain = hostnameOf(typed)
  return domain !== null && DOMAIN_IN_ASCII.test(domain) ? domain : null
}

function hostnameOf(host: string): string | null {
  try {
    return new URL(`http://${host}`).hostname
  } catch {
    return null
  }
}
