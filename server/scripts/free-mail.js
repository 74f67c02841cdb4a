/** The sources of server/data/free-mail.txt, for the scripts that generate and compare it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { domainToASCII, fileURLToPath } from 'node:url'

export const SOURCES = [
  { name: 'free-email-domains', version: '1.12.6', license: 'MIT', files: ['domains.json'] },
  { name: 'email-providers', version: '2.26.0', license: 'ISC', files: ['all.json'] },
  { name: 'disposable-email-domains', version: '1.0.62', license: 'MIT', files: ['index.json', 'wildcard.json'] },
]

export const TARGET = fileURLToPath(new URL('../data/free-mail.txt', import.meta.url))

/** Domains that the sources lack. A domain includes its sub-domains. */
const EXTRAS = [
  // Free mailboxes.
  'tuta.com tutanota.com tutamail.com tuta.io keemail.me tutanota.de tutao.de hey.com mailbox.org mailbox.com mailo.com',
  'proton.me pm.me protonmail.com fastmail.com fastmail.fm fastmail.de posteo.de posteo.net startmail.com mailfence.com',
  'zoho.com zoho.eu zohomail.com zohomail.eu zohomail.in gmx.ch gmx.info gmx.eu gmx.biz gmx.org eclipso.de eclipso.eu',
  'disroot.org riseup.net systemli.org autistici.org inventati.org so36.net dismail.de danwin1210.de danwin1210.me',
  'ik.me ikmail.com etik.com murena.io e.email kolabnow.com mykolab.com soverin.net purelymail.com countermail.com',
  'ctemplar.com skiff.com onionmail.org elude.in morke.org iki.fi kapsi.fi internet.ru nine.testrun.org',
  'myyahoo.com hotmail.at passport.com webtv.net vivaldi.net onmail.com criptext.com mailoo.org dds.nl pec.it legalmail.it',
  'volny.cz zoznam.sk hinet.net pchome.com.tw goo.jp',
  // Mailboxes of internet and mobile providers.
  'vodafone.de hispeed.ch chello.at a1.net liwest.at inode.at utanet.at sunrise.ch quickline.ch swissonline.ch ewe.net ewetel.net',
  'telia.com telia.se comhem.se bredband.net tdcadsl.dk stofanet.dk saunalahti.fi bbox.fr numericable.fr belgacom.net',
  'proximus.be scarlet.be base.be zeelandnet.nl caiway.nl wxs.nl concepts.nl tim.it fastwebnet.it ono.com movistar.es',
  'netcabo.pt clix.pt superonline.com bezeqint.net 012.net.il telkomsa.net mweb.co.za vodamail.co.za',
  'xfinity.com suddenlink.net teksavvy.com sasktel.net eastlink.ca orcon.net.nz slingshot.co.nz vodafone.co.nz',
  'netvigator.com starhub.net.sg streamyx.com',
  // Mailboxes for alumni of a university and members of an association.
  'alum.mit.edu alumni.stanford.edu cantab.net oxon.org acm.org ieee.org computer.org linux.com',
  // Aliases that forward to any mailbox.
  'privaterelay.appleid.com mozmail.com relay.firefox.com duck.com users.noreply.github.com opayq.com erine.email',
  'simplelogin.com simplelogin.co simplelogin.fr silomails.com slmail.me slmails.com aleeas.com 8alias.com 8shield.net dralias.com',
  'passmail.net passmail.com passinbox.com passfwd.com addy.io addymail.com anonaddy.com anonaddy.me cloaked.id',
  // Tenants of Microsoft without a verified domain.
  'onmicrosoft.com',
].flatMap((line) => line.split(' '))

/** Domains that the sources list by mistake. */
const FALSE_POSITIVES = new Set([
  // Companies that sell something else.
  ...['clerk.com', 'easypost.com', 'name.com'],
  // Registries: companies have their domains below them, as below com. If listed, a whole country would have no companies.
  ...['com.ar', 'edu.pl', 'my.id', 'net.ua', 'nom.za', 'org.ua', 'pp.ua', 'web.id', 'za.com', 'zp.ua'],
])

/** Host names of DNS. Other entries of a source, such as an email address, are left out and reported. */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Merges the sources with our extras, without the false positives.
 *
 * @param {string} folder where `node_modules` holds the sources
 * @returns the sorted domains, the malformed entries that were left out, and the version of each source in the order of SOURCES
 */
export function readSources(folder) {
  const listed = [...SOURCES.flatMap((source) => listOf(source, folder)), ...EXTRAS].map((text) => ({
    text,
    domain: domainToASCII(text.trim().toLowerCase()),
  }))
  const domains = new Set(listed.map(({ domain }) => domain))
  return {
    domains: [...domains].filter((domain) => DOMAIN.test(domain) && !FALSE_POSITIVES.has(domain)).sort(),
    malformed: listed.filter(({ domain }) => !DOMAIN.test(domain)).map(({ text }) => text),
    versions: SOURCES.map(({ name }) => readJson(join(homeOf(name, folder), 'package.json')).version),
  }
}

/**
 * @param {(typeof SOURCES)[number]} source
 * @param {string} folder
 * @returns {string[]} as the package writes them
 */
function listOf({ name, files }, folder) {
  return files.flatMap((file) => readJson(join(homeOf(name, folder), file)))
}

/**
 * @param {string} name
 * @param {string} folder
 */
function homeOf(name, folder) {
  return join(folder, 'node_modules', name)
}

/** @param {string} path */
function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
