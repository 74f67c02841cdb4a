// Builds the CLI: a bundle with the contract of core and all packages that it uses, in `dist`, and beside it cli.tgz, the npm package
// without dependencies that each server gives to its users.
import { execFileSync } from 'node:child_process'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { bundledLicences } from '../scripts/bundled-licences.js'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const TARGET = join(FOLDER, 'dist')
/** The package. The same sources give the same bytes. */
export const CLI_PACKAGE = join(TARGET, 'cli.tgz')

export async function buildCli() {
  rmSync(TARGET, { recursive: true, force: true })
  const bundle = await rolldown({
    input: join(FOLDER, 'src/main.ts'),
    cwd: FOLDER,
    platform: 'node',
    // Optional for \`debug\`, and there only with the development packages: the bundle would differ.
    external: ['supports-color'],
    plugins: [bundledLicences({ mustBeReviewed: true })],
  })
  await bundle.write({ dir: TARGET, format: 'esm', chunkFileNames: '[name].js', minify: true })
  await bundle.close()
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', TARGET]
  const options = { cwd: FOLDER, encoding: 'utf8', shell: process.platform === 'win32' }
  renameSync(join(TARGET, execFileSync('npm', args, options).trim()), CLI_PACKAGE)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildCli()
