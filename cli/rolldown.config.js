// Bundles the CLI with the contract of core and all packages that it uses: the published package has no dependencies.
import { bundledLicences } from '../scripts/bundled-licences.js'

export default {
  input: 'src/main.ts',
  platform: 'node',
  output: { dir: 'dist', format: 'esm', chunkFileNames: '[name].js', cleanDir: true, minify: true },
  plugins: [bundledLicences({ mustBeReviewed: true })],
}
