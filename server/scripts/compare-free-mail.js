/**
 * Prints what the newest releases of the sources would change in server/data/free-mail.txt: `+` a domain that they add, `-` one
 * that they drop. Changes nothing.
 *
 *     node server/scripts/compare-free-mail.js
 *
 * It fetches the packages from the npm registry into a temporary folder. None of their scripts run. With a folder as argument
 * it compares what is installed there and fetches nothing.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSources, SOURCES, TARGET } from './free-mail.js'

const [installed] = process.argv.slice(2)
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
    console.log(`${name}: ${version} here, ${versions[index]} there`)
  })
  const there = new Set(domains)
  const here = new Set(
    readFileSync(TARGET, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#')),
  )
  const added = domains.filter((domain) => !here.has(domain))
  const removed = [...here].filter((domain) => !there.has(domain))
  for (const domain of added) console.log(`+ ${domain}`)
  for (const domain of removed) console.log(`- ${domain}`)
  console.log(`${added.length} added, ${removed.length} removed`)
}
