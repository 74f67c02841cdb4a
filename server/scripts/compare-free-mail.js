/**
 * Prints how the newest releases of the sources would change server/data/free-mail.txt: `+` for an added domain, `-` for a
 * removed one. Changes nothing.
 *
 *     node server/scripts/compare-free-mail.js
 *
 * Installs the packages from npm into a temporary folder, without their install scripts. With a folder as argument it compares
 * the packages installed there and downloads nothing. A second argument names another list.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSources, SOURCES, TARGET } from './free-mail.js'

const [installed, list = TARGET] = process.argv.slice(2)
const folder = installed ?? mkdtempSync(join(tmpdir(), 'deeb-free-mail-'))
try {
  if (installed === undefined) fetchNewest(folder)
  compare(folder)
} finally {
  if (installed === undefined) rmSync(folder, { recursive: true })
}

/** @param {string} folder */
function fetchNewest(folder) {
  const onWindows = process.platform === 'win32'
  const packages = SOURCES.map(({ name }) => `${name}@latest`)
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent', '--prefix', folder]
  execFileSync(onWindows ? 'npm.cmd' : 'npm', ['install', ...options, ...packages], {
    stdio: 'inherit',
    shell: onWindows,
  })
}

/** @param {string} folder */
function compare(folder) {
  const { domains, versions } = readSources(folder)
  SOURCES.forEach(({ name, version }, index) => {
    console.log(`${name}: ${version} in use, ${versions[index]} available`)
  })
  const there = new Set(domains)
  const here = new Set(
    readFileSync(list, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#')),
  )
  const added = domains.filter((domain) => !here.has(domain))
  const removed = [...here].filter((domain) => !there.has(domain))
  for (const domain of added) console.log(`+ ${domain}`)
  for (const domain of removed) console.log(`- ${domain}`)
  console.log(`${added.length} added, ${removed.length} removed`)
}
