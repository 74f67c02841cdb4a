// Bundles the CLI with the contract of core and all packages that it uses: the published package has no dependencies.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export default {
  input: 'src/main.ts',
  platform: 'node',
  resolve: { conditionNames: ['deeb-source', 'node', 'import', 'default'] },
  output: { dir: 'dist', format: 'esm', chunkFileNames: '[name].js', cleanDir: true, minify: true },
  plugins: [licencesOfBundled()],
}

const REVIEWED = readFileSync(new URL('../docs/licences.md', import.meta.url), 'utf8')

/** Writes dist/licences.txt: our licence, and those of the bundled packages, which require that their text is distributed. */
function licencesOfBundled() {
  return {
    name: 'licences-of-bundled',
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
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  if (!file) throw new Error(`${name} has no licence file.`)
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8')}`
}
