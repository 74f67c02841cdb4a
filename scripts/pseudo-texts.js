const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const ACCENTED = [...'åƀçđéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÅƁÇĐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ']

/** A text that is 40 % longer and has accents, for tests: English words that stay are in no catalogue, and long words must not be cut. */
export function accentedText(text) {
  const accented = outsidePlaceholders(text, (part) =>
    part.replaceAll(/[a-z]/gi, (letter) => ACCENTED[LETTERS.indexOf(letter)]),
  )
  return `[${accented}${' ···'.repeat(Math.ceil(text.length / 10))}]`
}

/** A text whose letters run from right to left, for tests of mirrored layouts. */
export function mirroredText(text) {
  return outsidePlaceholders(text, (part) => part.replaceAll(/\S+/g, (word) => `\u202e${word}\u202c`))
}

function outsidePlaceholders(text, change) {
  return text
    .split(/({{.*?}})/)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('')
}
