/**
 * Makes server/data/free-mail.txt: the hosts where anybody gets a mailbox, so that sharing one makes nobody a colleague.
 *
 *     folder=$(mktemp -d)
 *     npm install --ignore-scripts --prefix "$folder" \
 *       free-email-domains@1.12.6 email-providers@2.26.0 disposable-email-domains@1.0.62
 *     node server/scripts/update-free-mail.js "$folder"
 *
 * The packages are no dependencies of ours, and their scripts must not run: one of them downloads from the network when it
 * is installed. To take newer ones, change the versions here and in the commands above, and read the diff of the list
 * before it is committed: a host that goes missing opens the companies of its users to each other.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { domainToASCII, fileURLToPath } from 'node:url'

const SOURCES = [
  { name: 'free-email-domains', version: '1.12.6', license: 'MIT', files: ['domains.json'] },
  { name: 'email-providers', version: '2.26.0', license: 'ISC', files: ['all.json'] },
  { name: 'disposable-email-domains', version: '1.0.62', license: 'MIT', files: ['index.json', 'wildcard.json'] },
]

/** What the sources lack. A host stands for its sub-domains too. */
const EXTRAS = [
  // Free mailboxes.
  'tuta.com tutanota.com tutamail.com tuta.io keemail.me tutanota.de tutao.de hey.com mailbox.org mailbox.com mailo.com',
  'proton.me pm.me protonmail.com fastmail.com fastmail.fm fastmail.de posteo.de posteo.net startmail.com mailfence.com',
  'zoho.com zoho.eu zohomail.com zohomail.eu zohomail.in gmx.ch gmx.info gmx.eu gmx.biz gmx.org eclipso.de eclipso.eu',
  'disroot.org riseup.net systemli.org autistici.org inventati.org so36.net dismail.de danwin1210.de danwin1210.me',
  'ik.me ikmail.com etik.com murena.io e.email kolabnow.com mykolab.com soverin.net purelymail.com countermail.com',
  'ctemplar.com skiff.com onionmail.org elude.in morke.org iki.fi kapsi.fi internet.ru nine.testrun.org',
  // Mailboxes that come with a line at home.
  'vodafone.de hispeed.ch chello.at a1.net liwest.at',
  // Aliases that forward to any mailbox.
  'privaterelay.appleid.com mozmail.com relay.firefox.com duck.com users.noreply.github.com opayq.com erine.email',
  'simplelogin.com simplelogin.co simplelogin.fr slmail.me slmails.com aleeas.com 8alias.com 8shield.net dralias.com',
  'passmail.net passmail.com passinbox.com passfwd.com addy.io addymail.com anonaddy.com anonaddy.me cloaked.id',
  // A tenant of Microsoft's that has not proved a domain of its own.
  'onmicrosoft.com',
].flatMap((line) => line.split(' '))

/** What the sources list and should not. */
const FALSE_POSITIVES = new Set([
  // Companies that sell something else.
  ...['clerk.com', 'easypost.com', 'name.com'],
  // Registries, below which companies have their domains as below com. Listed, they would leave a country without companies.
  ...['com.ar', 'edu.pl', 'my.id', 'net.ua', 'nom.za', 'org.ua', 'pp.ua', 'web.id', 'za.com', 'zp.ua'],
])

/** Host names as DNS has them. What a source lists besides, such as a whole address, is left out and said. */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

const TARGET = fileURLToPath(new URL('../data/free-mail.txt', import.meta.url))

const [folder] = process.argv.slice(2)
if (folder === undefined) fail('Name the folder that the three packages were installed into.')

const listed = [...SOURCES.flatMap((source) => domainsOf(source, folder)), ...EXTRAS].map((text) => ({
  text,
  domain: domainToASCII(text.trim().toLowerCase()),
}))
const domains = new Set(listed.map(({ domain }) => domain))
const kept = [...domains].filter((domain) => DOMAIN.test(domain) && !FALSE_POSITIVES.has(domain)).sort()
writeFileSync(TARGET, `${[...header(), ...kept].join('\n')}\n`)

const malformed = listed.filter(({ domain }) => !DOMAIN.test(domain)).map(({ text }) => text)
console.log(`${kept.length} domains in ${TARGET}`)
if (malformed.length > 0) console.log(`Left out as no domain: ${malformed.join(', ')}`)

/**
 * @param {(typeof SOURCES)[number]} source
 * @param {string} folder where `node_modules` holds the source
 * @returns {string[]} as the package writes them
 */
function domainsOf(source, folder) {
  const home = join(folder, 'node_modules', source.name)
  const { version } = readJson(join(home, 'package.json'))
  if (version !== source.version) fail(`${source.name} is ${version}, and ${source.version} was expected.`)
  return source.files.flatMap((file) => readJson(join(home, file)))
}

/** @returns {string[]} comment lines, without a date, so that the same sources always make the same file */
function header() {
  return [
    '# Hosts of free and of throw-away mail, one a line; a host stands for its sub-domains too.',
    '# Made by server/scripts/update-free-mail.js, where it is corrected: not by hand here.',
    ...SOURCES.map(({ name, version, license }) => `# Source: ${name} ${version} (${license})`),
    '# Their notices are in README.md beside this file.',
  ]
}

/** @param {string} path */
function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/**
 * @param {string} sentence
 * @returns {never}
 */
function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
