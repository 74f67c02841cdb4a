import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { Plugin } from 'vite'

/** Text files that the server sends as they are. Pages are filled first. Fonts and pictures are compressed already. */
const COMPRESSIBLE = /\.(css|js|svg|webmanifest)$/

/** Compresses each text file `x` of the build into `x.br`, as small as possible: 6 % less than the server's own, in 40 times the time. */
export function compressed(): Plugin {
  let folder = ''
  return {
    name: 'deeb-compressed',
    apply: 'build',
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir)
    },
    async closeBundle() {
      const names = await readdir(folder, { recursive: true })
      await Promise.all(names.filter((name) => COMPRESSIBLE.test(name)).map((name) => compress(join(folder, name))))
    },
  }
}

async function compress(file: string): Promise<void> {
  await writeFile(`${file}.br`, await promisify(brotliCompress)(await readFile(file)))
}
