import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** French, Spanish and Italian have it for whole millions. Without a text of its own it is as `other`. */
const FOR_MILLIONS = 'many'
/** Keys of plurals end with the category of CLDR. */
export const CATEGORY = /_(zero|one|two|few|many|other)$/

/**
 * Lists the faults of the texts, a line each: keys that a language lacks or has in addition, placeholders that differ from the English
 * text, missing plural categories, and keys that no code uses. A key that code uses and English lacks is an error of the type checker.
 */
export function problemsOfTexts({ root, languages, rooms, readTexts }) {
  return rooms.flatMap((room) => {
    const english = readTexts('en', room)
    return [
      ...languages.flatMap((language) =>
        problemsOfLanguage(`${language}/${room}`, language, readTexts(language, room), english),
      ),
      ...unusedKeys(root, room, namesOf(english)),
    ]
  })
}

function problemsOfLanguage(file, language, texts, english) {
  const [names, expected] = [namesOf(texts), namesOf(english)]
  const problems = [
    ...expected.filter((name) => !names.includes(name)).map((name) => `missing: ${name}`),
    ...names.filter((name) => !expected.includes(name)).map((name) => `not in English: ${name}`),
    ...names.flatMap((name) => missingCategories(language, name, texts)),
    ...Object.entries(texts).flatMap(([key, text]) => wrongPlaceholders(key, text, english)),
  ]
  return problems.map((problem) => `texts/messages/${file}.json: ${problem}`)
}

/** The keys, each plural once. */
export function namesOf(texts) {
  return [...new Set(Object.keys(texts).map((key) => key.replace(CATEGORY, '')))]
}

function missingCategories(language, name, texts) {
  if (name in texts) return []
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  return pluralCategories
    .filter((category) => category !== FOR_MILLIONS)
    .filter((category) => !(`${name}_${category}` in texts))
    .map((category) => `missing: ${name}_${category}`)
}

/** A plural may leave out its number: "one day". */
function wrongPlaceholders(key, text, english) {
  const name = key.replace(CATEGORY, '')
  const originals = Object.entries(english).filter(([other]) => other.replace(CATEGORY, '') === name)
  const allowed = placeholdersOf(originals.map(([, original]) => original).join(' '))
  const own = placeholdersOf(text)
  const isOptional = (placeholder) => CATEGORY.test(key) && placeholder === 'count'
  return [
    ...own
      .filter((placeholder) => !allowed.includes(placeholder))
      .map((one) => `${key} has {{${one}}}, the English text has not`),
    ...allowed
      .filter((placeholder) => !own.includes(placeholder) && !isOptional(placeholder))
      .map((one) => `${key} lacks {{${one}}}`),
  ]
}

/** The names in `{{name}}`, each once. */
export function placeholdersOf(text) {
  return [...new Set([...text.matchAll(/{{(\w+)}}/g)].map(([, name]) => name))]
}

/** The keys of a room that no code uses, as `texts.key` after `import * as texts from '@deeb/texts/room'`. */
function unusedKeys(root, room, names) {
  const imported = new RegExp(`import \\* as (\\w+) from '@deeb/texts/${room}'`)
  const used = new Set(placeholdersOfPage(root, room))
  for (const code of sources(root)) {
    const [, alias] = imported.exec(code) ?? []
    if (alias) for (const [, key] of code.matchAll(new RegExp(`\\b${alias}\\.(\\w+)`, 'g'))) used.add(key)
  }
  return names.filter((name) => !used.has(name)).map((name) => `texts/messages/en/${room}.json: unused: ${name}`)
}

/** Pages that are no code have `%key%`. */
const PAGES = { page: 'web/app.html', demo: 'server/demo-page/index.html' }

function placeholdersOfPage(root, room) {
  return [...(room in PAGES ? textOf(root + PAGES[room]) : '').matchAll(/%(\w+)%/g)].map(([, key]) => key)
}

let cached

function sources(root) {
  if (cached) return cached
  const args = ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx']
  const paths = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  cached = paths.map((path) => textOf(root + path)).filter((code) => code.includes('@deeb/texts/'))
  return cached
}

function textOf(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
