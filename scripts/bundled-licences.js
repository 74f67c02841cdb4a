import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const REVIEWED = readFileSync(new URL('../docs/licences.md', import.meta.url), 'utf8')

/** A plugin of rolldown that writes licences.txt: our licence, and those of the bundled packages, which require that their text is distributed. */
export function bundledLicences() {
  return {
    name: 'bundled-licences',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((chunk) => Object.keys(chunk.modules ?? {}))
      const own = readFileSync(new URL('../LICENSE', import.meta.url), 'utf8')
      const folders = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []))
      this.emitFile({
        type: 'asset',
        fileName: 'licences.txt',
        source: [own, ...[...folders].sort().map(licenceOf)].join('\n'),
      })
    },
  }
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (!REVIEWED.includes(`| ${name} | ${version} |`)) throw new Error(`${name} ${version} is not in docs/licences.md.`)
  const file = readdirSync(folder).find((entry) => /^(un)?licen[cs]e|^copying/i.test(entry))
  const text = file ? readFileSync(join(folder, file), 'utf8') : 'The package has no text of its licence.\n'
  return `${name} ${version} (${license})\n\n${text}`
}
