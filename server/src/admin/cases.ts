import { randomUUID } from 'node:crypto'
import { caseLink } from '@deeb/core/cases/case'
import { LANGUAGES, type Language } from '@deeb/core/languages'
import * as texts from '@deeb/texts/cases'
import { generate } from 'lean-qr'
import { toSvgSource } from 'lean-qr/extras/svg'
import { type Db, statement } from '../db/db.ts'
import { makeLinkSecret } from '../lib/link-secret.ts'

const insert = statement(
  'admin.print-cases',
  `insert into cases (id, company_domain, code_hash, since)
  select id, :domain, hash, :now from unnest(:ids::uuid[], :hashes::bytea[]) as made (id, hash)`,
)
const countPeople = statement(
  'admin.count-company',
  'select count(*)::int as people from profiles where company_domain = :domain',
)

interface Order {
  domain: string
  count: number
  language: Language
}

/** Reads `DOMAIN COUNT [--language de]`; null for anything else. */
export function caseOrder(words: string[]): Order | null {
  const match = /^([\w.-]+\.[a-z-]{2,}) ([1-9]\d{0,2})(?: --language (\w\w))?$/i.exec(words.join(' '))
  if (!match) return null
  const [, domain = '', number, language = 'en'] = match
  const known = LANGUAGES.find((one) => one === language)
  return known ? { domain: domain.toLowerCase(), count: Number(number), language: known } : null
}

/** Makes unclaimed codes of a company, and returns the lines of a page to print them. Throws without people of that company. */
export async function printCases(db: Db, { domain, count: number, language }: Order, publicUrl: string, now: Date) {
  const [company] = await db.query<{ people: number }>(countPeople, { domain })
  if (!company?.people) throw new Error(`Nobody has an account at ${domain}.`)
  const codes = Array.from({ length: number }, () => ({ id: randomUUID(), ...makeLinkSecret() }))
  await db.query(insert, { domain, now, ids: codes.map(({ id }) => id), hashes: codes.map(({ hash }) => hash) })
  return sheet(
    codes.map(({ secret }) => caseLink(publicUrl, secret)),
    language,
  )
}

/** Fits A4 and Letter: three columns of labels to cut out, each with a code 25 mm wide, and none cut by the end of a page. */
const STYLE =
  '@page{margin:10mm}body{margin:0;font:2.8mm/1.3 sans-serif}p{margin:0 0 4mm}ul{display:grid;grid-template-columns:repeat(3,60mm);gap:4mm;margin:0;padding:0;list-style:none}li{display:flex;align-items:center;padding-right:2mm;outline:.2mm dashed #888;break-inside:avoid}svg{flex:none;width:32mm;height:32mm}'

function sheet(links: string[], language: Language): string[] {
  const options = { locale: language }
  const help = `<span>${texts.scanHelp({}, options)}</span>`
  return [
    `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>deeb</title><style>${STYLE}</style><p>${texts.stickHelp({}, options)}</p><ul>`,
    ...links.map((link) => `<li>${toSvgSource(generate(link), { padX: 4, padY: 4 })}${help}</li>`),
    '</ul></html>',
  ]
}
