/** The WHATWG parser that Node and every browser have. Declared here by the one member in use, as core has no DOM types. */
declare const URL: new (url: string) => { readonly hostname: string }

const MAX_CHARACTERS = 254
/** Of what is typed, in UTF-16 units. Checked first: Punycode takes quadratic time. */
const MAX_TYPED_LENGTH = 320
const MAX_LOCAL_CHARACTERS = 64

/** The dot-atom of RFC 5322: no quotes, comments, spaces or control characters, and no dot at either end or beside another. */
const DOT_ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/

/** Letters of any script with their marks, figures and hyphens, between single dots; at least one dot. */
const DOMAIN_AS_TYPED = /^[\p{L}\p{M}\p{Nd}-]+(?:\.[\p{L}\p{M}\p{Nd}-]+)+$/u

/** Host names as DNS has them, ending in a top-level domain: those begin with a letter, which IP addresses never do. */
const DOMAIN_IN_ASCII = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The address in the one form that is saved and compared: trimmed, lower case, the domain in ASCII (`ann@müller.de` is
 * `ann@xn--mller-kva.de`). Null for what is not an address of this narrow grammar; mail servers know wider ones, and the
 * disagreements between their parsers are how mail ends up with strangers. Dots and plus tags stay: folding them is one
 * provider's habit, and would make one person of two elsewhere.
 */
export function parseEmail(text: string): string | null {
  if (text.length > MAX_TYPED_LENGTH) return null
  const [local, typedDomain, ...more] = text.trim().split('@')
  if (local === undefined || typedDomain === undefined || more.length > 0) return null

  // ASCII first, lower case second: lower-casing turns the Kelvin sign into an ordinary k, and so one mailbox into another.
  if (!DOT_ATOM.test(local) || local.length > MAX_LOCAL_CHARACTERS) return null

  const domain = domainInAscii(typedDomain)
  if (domain === null) return null
  const email = `${local.toLowerCase()}@${domain}`
  return email.length <= MAX_CHARACTERS ? email : null
}

function domainInAscii(typed: string): string | null {
  // The URL parser would read `host/path`, `host:25` and `%61` in its own way, so it only ever sees letters, figures, dots and hyphens.
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
