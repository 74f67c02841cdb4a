import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import type { Plugin } from 'vite'

/** Text files. Fonts and pictures are compressed already. */
const COMPRESSIBLE = /\.(html|css|js|svg|json|webmanifest)$/

/** Compresses each text file `x` of the build into `x.br` and `x.gz` at the highest level. The server sends these files. */
export function precompress(): Plugin {
  let folder = ''
  return {
    name: 'deeb-precompress',
    apply: 'build',
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir)
    },
    async closeBundle() {
      const names = await readdir(folder, { recursive: true })
      await Promise.all(
        names
          .filter((name) => COMPRESSIBLE.test(name) && !names.includes(`${name}.br`))
          .map((name) => compress(join(folder, name))),
      )
    },
  }
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file)
  const params = { [zlib.BROTLI_PARAM_SIZE_HINT]: content.length }
  const [brotlied, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: zlib.Z_BEST_COMPRESSION }),
  ])
  await Promise.all([writeFile(`${file}.br`, brotlied), writeFile(`${file}.gz`, gzipped)])
}
