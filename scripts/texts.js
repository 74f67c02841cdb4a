// Compiles texts/messages/<language>/<room>.json into texts/dist/<room>.js, a module of typed functions in all languages: `@deeb/texts/<room>`.
//   node scripts/texts.js            compiles
//   node scripts/texts.js --check    also reports missing, extra and unused keys, and placeholders that differ from the English text
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { accentedText, mirroredText } from './pseudo-texts.js'
import { CATEGORY, namesOf, placeholdersOf, problemsOfTexts } from './texts-check.js'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Its folders are the languages, their files the rooms. */
export const TEXTS_FOLDER = `${root}texts/messages`
const TARGET = `${root}texts/dist`

/** Made from the English texts, for tests: longer texts with accents, and texts from right to left. */
const PSEUDO_LOCALES = { 'en-XA': accentedText, 'ar-XB': mirroredText }

/** The languages, English first. */
export const languages = readdirSync(TEXTS_FOLDER).sort((a, b) => Number(b === 'en') - Number(a === 'en'))
const locales = [...languages, ...Object.keys(PSEUDO_LOCALES)]

/** Writes the modules of all rooms, and deletes those of rooms that are gone. */
export function compileTexts() {
  mkdirSync(TARGET, { recursive: true })
  const names = new Set(rooms().flatMap(compileRoom))
  for (const name of readdirSync(TARGET)) if (!names.has(name)) rmSync(`${TARGET}/${name}`, { recursive: true })
}

/** Writes the modules of a room and returns their names. Touches only files that change: a dev server sees one change. */
export function compileRoom(room) {
  return filesOf(room, readRoom(room)).map(([name, content]) => {
    const file = `${TARGET}/${name}`
    if (!existsSync(file) || readFileSync(file, 'utf8') !== content) writeFileSync(file, content)
    return name
  })
}

/**
 * The texts for one build that becomes a build of each language. `modules` has the source of each room, with a global variable in place of
 * each text. `valuesOf` has the sources of these variables in a language: of a text with inputs a function, of others a string.
 */
export function markedTexts() {
  const marked = rooms().map((room) => ({
    room,
    texts: readRoom(room).map((text) => ({ ...text, mark: markOf(room, text) })),
  }))
  return {
    modules: Object.fromEntries(marked.map(({ room, texts }) => [room, texts.map(markedFunction).join('\n')])),
    valuesOf: (locale) =>
      Object.fromEntries(
        marked.flatMap(({ texts }) => texts.map(({ mark, inputs, codes }) => [mark, sourceOf(inputs, codes[locale])])),
      ),
  }
}

function markedFunction({ name, inputs, mark }) {
  return `export const ${name} = ${inputs.length > 0 ? `(i) => ${mark}(i)` : `() => ${mark}`}`
}

function sourceOf(inputs, code) {
  return inputs.length > 0 ? `(i) => ${code}` : code
}

/** The variable of a text. Its name changes with the text in any language, and so does that of a file that has it. */
function markOf(room, { name, codes }) {
  const digest = createHash('sha256').update(JSON.stringify(codes)).digest('hex').slice(0, 8)
  return `__text_${room}_${name}_${digest}`
}

function filesOf(room, texts) {
  const functions = texts.map(({ name, codes }) => {
    const byLocale = Object.entries(codes).map(([locale, code]) => `'${locale}': (i) => ${code}`)
    return `export const ${name} = /* @__PURE__ */ text({ ${byLocale.join(', ')} })\n`
  })
  const types = texts.map(({ name, inputs }) => `export declare const ${name}: ${typeOf(inputs)}\n`)
  return [
    [`${room}.js`, `import { text } from '../src/runtime.js'\n${functions.join('')}`],
    [`${room}.d.ts`, types.join('')],
  ]
}

function typeOf(inputs) {
  const fields = inputs.map((input) => `${input}: NonNullable<unknown>`).join('; ')
  return inputs.length > 0
    ? `(inputs: { ${fields} }, options?: { locale?: string }) => string`
    : '(inputs?: {}, options?: { locale?: string }) => string'
}

/** The texts of a room: the name and inputs of each, and its source in each language, English if the language lacks it. */
function readRoom(room) {
  const byLocale = Object.fromEntries(locales.map((locale) => [locale, readTexts(locale, room)]))
  return namesOf(byLocale.en).map((name) => {
    const inputs = inputsOf(name, byLocale.en)
    const codes = locales.map((locale) => {
      const own = namesOf(byLocale[locale]).includes(name) ? locale : 'en'
      return [locale, codeOf(own, name, byLocale[own])]
    })
    return { name, inputs, codes: Object.fromEntries(codes) }
  })
}

/** The names of the placeholders of a text, with `count` of a plural. */
function inputsOf(name, english) {
  const own = Object.keys(english).filter((key) => key.replace(CATEGORY, '') === name)
  const count = own.includes(name) ? [] : ['count']
  return [...new Set([...count, ...own.flatMap((key) => placeholdersOf(english[key]))])]
}

/** The source of a text in a language. A plural category without a text, such as that of whole millions, is as `other`. */
function codeOf(locale, name, texts) {
  if (name in texts) return templateOf(locale, texts[name])
  const { [`${name}_other`]: other, ...plurals } = Object.fromEntries(
    Object.entries(texts).filter(([key]) => key.replace(CATEGORY, '') === name),
  )
  if (other === undefined) throw new Error(`The ${locale} texts lack ${name}_other.`)
  const cases = Object.entries(plurals).map(([key, text]) => `${CATEGORY.exec(key)[1]}: ${templateOf(locale, text)}`)
  const category = `new Intl.PluralRules('${locale}').select(Number(i.count))`
  return `({ ${cases.join(', ')} })[${category}] ?? ${templateOf(locale, other)}`
}

/** A template literal. Spanish says "las 10:45", but "la 1:05". Texts have "las {{time}}", and the article follows the time. */
function templateOf(locale, text) {
  const escaped = text.replaceAll(/[\\`]|\$\{/g, '\\$&')
  const withArticle =
    locale === 'es'
      ? escaped.replaceAll(
          /\b([Ll]a)s {{(\w+)}}/g,
          (_all, la, name) => `${la}\${/^0?1\\b/.test(i.${name}) ? '' : 's'} {{${name}}}`,
        )
      : escaped
  return `\`${withArticle.replaceAll(/{{(\w+)}}/g, (_all, name) => `\${i.${name}}`)}\``
}

function rooms() {
  return readdirSync(`${TEXTS_FOLDER}/en`).map((file) => file.replace('.json', ''))
}

/** The texts of a room by key. Empty if the language has none. */
function readTexts(locale, room) {
  const pseudo = PSEUDO_LOCALES[locale]
  const file = `${TEXTS_FOLDER}/${pseudo ? 'en' : locale}/${room}.json`
  const texts = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  return pseudo ? Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, pseudo(text)])) : texts
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  compileTexts()
  if (process.argv.includes('--check')) {
    const problems = problemsOfTexts({ root, languages, rooms: rooms(), readTexts })
    for (const problem of problems) console.log(problem)
    console.log(`${languages.length} languages, ${problems.length} problems.`)
    process.exitCode = problems.length > 0 ? 1 : 0
  }
}
