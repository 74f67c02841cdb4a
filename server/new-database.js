// Writes dist/new-database.tar.gz: an empty database as `initdb` makes it, with which every new embedded database begins.
// Run it with `--liftoff-only`: optimizing so much WebAssembly takes longer than running it once.
import crypto from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { MemoryFS, PGlite } from '@electric-sql/pglite'

const FOLDER = fileURLToPath(new URL('dist/', import.meta.url))
const FILE = `${FOLDER}new-database.tar.gz`

/** The engine writes the time and random identifiers into it. These are fixed, so that each build makes the same bytes. */
const NOW = Date.UTC(2000, 0, 1)
globalThis.Date = class extends Date {
  static now = () => NOW
  constructor(...args) {
    super(...(args.length > 0 ? args : [NOW]))
  }
}
crypto.randomFillSync = (bytes) => bytes.fill(1)

/** Writes its files when the engine has shut down: they need no crash recovery. */
class WrittenFS extends MemoryFS {
  async closeFs() {
    const files = await this.dumpTar('new-database', 'gzip')
    mkdirSync(FOLDER, { recursive: true })
    const part = `${FILE}.${process.pid}.part`
    writeFileSync(part, Buffer.from(await files.arrayBuffer()))
    renameSync(part, FILE)
    await super.closeFs()
  }
}

const pglite = await PGlite.create({ fs: new WrittenFS() })
await pglite.close()
