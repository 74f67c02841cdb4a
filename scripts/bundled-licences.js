import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A plugin of rolldown that writes licences.txt: our licence, and those of the bundled packages, which require that their text is
 * distributed. With `mustBeReviewed`, a package that is not in docs/prove/licences.txt is an error.
 */
export function bundledLicences({ mustBeReviewed = false } = {}) {
  return {
    name: 'bundled-licences',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((chunk) => Object.keys(chunk.modules ?? {}))
      const own = readFileSync(new URL('../LICENSE', import.meta.url), 'utf8')
      const paths = modules.map((id) => id.replaceAll('\\', '/'))
      const folders = new Set(paths.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []))
      if (mustBeReviewed) [...folders].forEach(requireReview)
      this.emitFile({
        type: 'asset',
        fileName: 'licences.txt',
        source: [own, ...[...folders].sort().map(licenceOf)].join('\n'),
      })
    },
  }
}

function requireReview(folder) {
  const { name, version } = manifestOf(folder)
  const reviewed = readFileSync(new URL('../docs/prove/licences.txt', import.meta.url), 'utf8')
  if (!reviewed.split(/\r?\n/).includes(`  ${name} ${version}`))
    throw new Error(`${name} ${version} is not in docs/prove/licences.txt.`)
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

function licenceOf(folder) {
  const { name, version, license } = manifestOf(folder)
  const file = readdirSync(folder).find((entry) => /^(un)?licen[cs]e|^copying/i.test(entry))
  const text = file ? readFileSync(join(folder, file), 'utf8') : 'The package has no text of its licence.\n'
  return `${name} ${version} (${license})\n\n${text}`
}
