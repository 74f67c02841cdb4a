const DIGIT = /\p{Nd}/u

/**
 * Replaces the digits of every script and width by ASCII, and leaves the other characters. Unicode keeps the ten digits of a script
 * in order, so the distance to the start of their run is the value.
 */
export function withAsciiDigits(text: string): string {
  return text.replaceAll(/\p{Nd}/gu, (digit) => {
    const codePoint = digit.codePointAt(0) ?? 0
    let zero = codePoint
    while (DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1
    return String((codePoint - zero) % 10)
  })
}

/** The ASCII digits of a typed or pasted code. Spaces, hyphens and invisible characters go; a wrong code stays wrong. */
export function digitsOf(typed: string): string {
  return withAsciiDigits(typed).replaceAll(/\D/g, '')
}
