const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
/** `[words](https://…)`, and web and email addresses. The lengths are bounded, so that a long word takes linear time. */
const LINK =
  /(\[[^\][\n]{1,200}\]\(https?:\/\/[^\s<>"'()]{1,2000}\)|https?:\/\/[^\s<>"']{1,2000}|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8})/
const NAMED = /^\[(.+)\]\((.+)\)$/
const HEADING = /^(#{1,3}) +(.+)$/
const ITEM = /^[-*] +/

/**
 * Plain text as HTML: blank lines separate paragraphs, lines that begin with `#` are headings, with `-` list items, and web
 * and email addresses become links, also as `[words](https://…)`. All else is escaped text, so a text can contain no other element.
 */
export function plainTextAsHtml(text: string): string {
  const blocks = text
    .replace(/\r\n?/g, '\n')
    // A heading needs no blank line around it.
    .replace(/^(#{1,3} .*)$/gm, '\n$1\n')
    .split(/\n[ \t]*(?:\n[ \t]*)+/)
  return blocks
    .map((block) => block.split('\n').map((line) => line.trim()))
    .map((lines) => lines.filter(Boolean))
    .filter((lines) => lines.length > 0)
    .map(blockAsHtml)
    .join('\n')
}

function blockAsHtml(lines: string[]): string {
  const [, marks = '', heading = ''] = HEADING.exec(lines[0] ?? '') ?? []
  if (heading) return marks.length === 3 ? `<h3>${inline(heading)}</h3>` : `<h2>${inline(heading)}</h2>`
  const firstItem = lines.findIndex((line) => ITEM.test(line))
  if (firstItem < 0) return `<p>${lines.map(inline).join('<br>')}</p>`
  const before = firstItem === 0 ? '' : `${blockAsHtml(lines.slice(0, firstItem))}\n`
  return `${before}<ul>${itemsOf(lines.slice(firstItem))
    .map((item) => `<li>${inline(item)}</li>`)
    .join('')}</ul>`
}

/** A line without a mark continues the item above it. */
function itemsOf(lines: string[]): string[] {
  const items: string[] = []
  for (const line of lines) {
    if (ITEM.test(line)) items.push(line.replace(ITEM, ''))
    else items.push(`${items.pop() ?? ''} ${line}`)
  }
  return items
}

function inline(text: string): string {
  return text
    .split(LINK)
    .map((part, index) => (index % 2 === 1 ? link(part) : escapeHtml(part)))
    .join('')
}

/** Punctuation at the end belongs to the sentence. */
function link(match: string): string {
  const [, words = '', target = ''] = NAMED.exec(match) ?? []
  if (words) return URL.canParse(target) ? anchor(target, words) : escapeHtml(match)
  const end = /[.,;:!?)\]]*$/.exec(match)?.[0] ?? ''
  const address = match.slice(0, match.length - end.length)
  const href = address.includes('://') ? address : `mailto:${address}`
  if (!URL.canParse(href)) return escapeHtml(match)
  return anchor(href, address) + escapeHtml(end)
}

function anchor(href: string, words: string): string {
  return `<a href="${escapeHtml(href)}">${escapeHtml(words)}</a>`
}

/** For texts and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}
