// Compiles texts/messages/<language>/<room>.json into modules of typed functions, `@deeb/texts/<room>`. Does nothing for rooms that are
// newer than their texts.
//   node scripts/texts.js            compiles
//   node scripts/texts.js --check    also reports missing, extra and unused keys, and placeholders that differ from the English text
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { accentedText, mirroredText } from './pseudo-texts.js'
import { run } from './run.js'
import { problemsOfTexts } from './texts-check.js'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Its folders are the languages, their files the rooms. */
export const TEXTS_FOLDER = `${root}texts/messages`
const SOURCE = TEXTS_FOLDER
const TARGET = `${root}texts/dist`
/** What the compiler reads: the texts of all languages, the pseudo-locales included. */
const INPUT = `${TARGET}/.input`
const PLUGIN = fileURLToPath(import.meta.resolve('@inlang/plugin-i18next'))

/** Made from the English texts, for tests: longer texts with accents, and texts from right to left. */
const PSEUDO_LOCALES = { 'en-XA': accentedText, 'ar-XB': mirroredText }

/** The languages, English first. */
export const languages = readdirSync(SOURCE).sort((a, b) => Number(b === 'en') - Number(a === 'en'))
/** English last: a compiled text falls back to the last one. */
const locales = [...Object.keys(PSEUDO_LOCALES), ...languages.toReversed()]

/** Compiles what is missing or older than its texts. */
export async function compileTexts() {
  const stale = rooms().filter(isStale)
  if (stale.length === 0) return
  const { compile } = await import('@inlang/paraglide-js')
  for (const room of stale) await compileRoom(compile, room)
  writeFileSync(`${TARGET}/tsconfig.json`, JSON.stringify(DECLARATIONS))
  if ((await run('tsc', ['-p', TARGET])) !== 0) throw new Error('The types of the texts were not written.')
  for (const room of stale) writeFileSync(`${TARGET}/${room}/compiled`, '')
}

/** The compiler's own way to write them starts TypeScript once per room. */
const DECLARATIONS = {
  compilerOptions: {
    ...{ allowJs: true, declaration: true, emitDeclarationOnly: true, skipLibCheck: true, types: [] },
    ...{ target: 'ES2023', module: 'NodeNext', moduleResolution: 'NodeNext' },
  },
  include: ['*/messages/_index.js'],
}

function rooms() {
  return readdirSync(`${SOURCE}/en`).map((file) => file.replace('.json', ''))
}

function isStale(room) {
  const compiled = `${TARGET}/${room}/compiled`
  const sources = [fileURLToPath(import.meta.url), ...languages.map((language) => sourceOf(language, room))]
  return (
    !existsSync(compiled) ||
    sources.some((file) => existsSync(file) && statSync(file).mtimeMs > statSync(compiled).mtimeMs)
  )
}

function sourceOf(language, room) {
  return `${SOURCE}/${language}/${room}.json`
}

async function compileRoom(compile, room) {
  const outdir = `${INPUT}/new`
  for (const locale of locales) {
    mkdirSync(`${INPUT}/${locale}`, { recursive: true })
    writeFileSync(`${INPUT}/${locale}/${room}.json`, JSON.stringify(withAllCategories(locale, readTexts(locale, room))))
  }
  const project = `${INPUT}/${room}.inlang`
  mkdirSync(project, { recursive: true })
  const settings = {
    baseLocale: 'en',
    locales,
    telemetry: 'off',
    modules: [`./${relative(INPUT, PLUGIN)}`],
    'plugin.inlang.i18next': { pathPattern: `./{locale}/${room}.json` },
  }
  writeFileSync(`${project}/settings.json`, JSON.stringify(settings))
  await compile({
    ...{ project, outdir, outputStructure: 'locale-modules', strategy: ['baseLocale'], isServer: 'false' },
    ...{ emitReadme: false, emitGitIgnore: false, emitPrettierIgnore: false },
  })
  for (const unused of ['server.js', 'messages.js']) rmSync(`${outdir}/${unused}`)
  const spanish = `${outdir}/messages/es.js`
  writeFileSync(spanish, withOneOClock(readFileSync(spanish, 'utf8')))
  const exports = exportsOf(readFileSync(`${outdir}/messages/_index.js`, 'utf8')).join(', ')
  for (const locale of locales)
    writeFileSync(`${outdir}/${locale}.js`, `export { ${exports} } from './messages/${locale}.js'\n`)
  writeFileSync(`${outdir}/runtime.js`, "export * from '../../src/runtime.js'\n")
  // In their place and only what differs, so that a dev server sees one change.
  cpSync(outdir, `${TARGET}/${room}`, { recursive: true, filter: isDifferent })
  rmSync(outdir, { recursive: true })
}

function isDifferent(from, to) {
  return statSync(from).isDirectory() || !existsSync(to) || readFileSync(from, 'utf8') !== readFileSync(to, 'utf8')
}

/** Spanish says "las 10:45", but "la 1:05". Texts have "las {{time}}", and the article follows the time. */
function withOneOClock(compiled) {
  const article = (_, la, time) => `${la}\${/^0?1\\b/.test(${time}) ? '' : 's'} \${${time}}`
  return compiled.replaceAll(/\b([Ll]a)s \$\{(i\?\.\w+)\}/g, article)
}

/** The compiler names the text `notStarted` of a language `notstarted1`. A build of one language imports it by its key. */
function exportsOf(index) {
  return [
    ...[...index.matchAll(/^export const (\w+) =/gm)].map(([, name]) => name),
    ...[...index.matchAll(/^export \{ (\w+) as "(\w+)" \}/gm)].map(([, name, key]) => `${name} as ${key}`),
  ]
}

/** The texts of a room by key. Empty if the language has none. */
function readTexts(locale, room) {
  const pseudo = PSEUDO_LOCALES[locale]
  const file = sourceOf(pseudo ? 'en' : locale, room)
  const texts = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  return pseudo ? Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, pseudo(text)])) : texts
}

/** A plural category without a text, such as that of whole millions, is as `other`. */
function withAllCategories(locale, texts) {
  const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions()
  const plurals = Object.keys(texts).filter((key) => key.endsWith('_other'))
  const all = plurals.flatMap((key) =>
    pluralCategories.map((category) => [key.replace(/other$/, category), texts[key]]),
  )
  return { ...Object.fromEntries(all), ...texts }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await compileTexts()
  if (process.argv.includes('--check')) {
    const problems = problemsOfTexts({ root, languages, rooms: rooms(), readTexts })
    for (const problem of problems) console.log(problem)
    console.log(`${languages.length} languages, ${problems.length} problems.`)
    process.exitCode = problems.length > 0 ? 1 : 0
  }
}
