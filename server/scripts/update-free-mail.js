/**
 * Makes server/data/free-mail.txt: the hosts where anybody gets a mailbox, so that sharing one makes nobody a colleague.
 *
 *     folder=$(mktemp -d)
 *     npm install --ignore-scripts --prefix "$folder" \
 *       free-email-domains@1.12.6 email-providers@2.26.0 disposable-email-domains@1.0.62
 *     node server/scripts/update-free-mail.js "$folder"
 *
 * The packages are no dependencies of ours, and their scripts must not run: one of them downloads from the network when it
 * is installed. compare-free-mail.js says what newer ones would change. To take them, change the versions in free-mail.js and in
 * the commands above, and read the diff of the list before it is committed: a host that goes missing opens the companies of
 * its users to each other.
 */
import { writeFileSync } from 'node:fs'
import { readSources, SOURCES, TARGET } from './free-mail.js'

const [folder] = process.argv.slice(2)
if (folder === undefined) fail('Name the folder that the three packages were installed into.')

const { domains, malformed, versions } = readSources(folder)
SOURCES.forEach(({ name, version }, index) => {
  if (versions[index] !== version) fail(`${name} is ${versions[index]}, and ${version} was expected.`)
})
writeFileSync(TARGET, `${[...header(), ...domains].join('\n')}\n`)
console.log(`${domains.length} domains in ${TARGET}`)
if (malformed.length > 0) console.log(`Left out as no domain: ${malformed.join(', ')}`)

/** @returns {string[]} comment lines, without a date, so that the same sources always make the same file */
function header() {
  return [
    '# Hosts of free and of throw-away mail, one a line; a host stands for its sub-domains too.',
    '# Made by server/scripts/update-free-mail.js from free-mail.js, where it is corrected: not by hand here.',
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
