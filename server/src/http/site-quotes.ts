import { join } from 'node:path'
import { maxCharacters } from '@deeb/core/formats'
import type { Language } from '@deeb/core/languages'
import * as v from 'valibot'
import { escapeHtml } from './plain-text-as-html.ts'
import { readSiteFile } from './site-files.ts'

/** The name of the file in SITE_DIR. */
export const QUOTES_FILE = 'quotes.json'

const words = (max: number) => v.pipe(v.string(), v.trim(), v.minLength(1), maxCharacters(max))
const Quote = v.strictObject({ text: words(280), name: words(80), role: words(80), company: words(80) })
/** As many as the page for companies has. */
const Quotes = v.pipe(v.array(Quote), v.length(2))

export type Quotes = v.InferOutput<typeof Quotes>

/** The quotes of customers in SITE_DIR, or null without such a file. Throws one sentence if its content is wrong. */
export function readQuotes(siteDir: string): Quotes | null {
  const text = readSiteFile(siteDir, QUOTES_FILE)
  if (text === undefined) return null
  const read = v.safeParse(Quotes, parse(text))
  if (read.success) return read.output
  const [quote, part] = read.issues[0].path ?? []
  const isPart = part && String(part.key) in Quote.entries
  const place = quote ? ` See ${isPart ? `${part.key} of ` : ''}quote ${Number(quote.key) + 1}.` : ''
  throw new Error(
    `SITE_DIR: ${join(siteDir, QUOTES_FILE)} must be a JSON list of two quotes, each with text (at most 280 characters), name, role and company (at most 80).${place}`,
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The quotation marks of each language, with their no-break spaces. */
const MARKS: Record<Language, [string, string]> = {
  en: ['“', '”'],
  de: ['„', '“'],
  fr: ['«\u202f', '\u202f»'],
  es: ['«', '»'],
  it: ['“', '”'],
}

/** Replaces the examples on a page by the quotes, and so removes their marks. */
export function fillQuotes(html: string, quotes: Quotes, language: Language): string {
  const [begin, end] = MARKS[language]
  const texts = quotes.map(({ text }) => begin + escapeHtml(text) + end)
  const authors = quotes.map(({ name, role, company }) => escapeHtml(`${name}, ${role}, ${company}`))
  return fillParts(fillParts(html, 'text', texts), 'author', authors)
}

/** Replaces the content of the elements with `data-quote`, in their order. None of them contains an element of its kind. */
function fillParts(html: string, part: 'text' | 'author', contents: string[]): string {
  const left = [...contents]
  const element = new RegExp(`(<(\\w+)[^>]* data-quote="${part}">).*?(</\\2>)`, 'gs')
  return html.replace(element, (_built, start: string, _name, end: string) => start + left.shift() + end)
}
