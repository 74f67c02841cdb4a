import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createBrotliDecompress } from 'node:zlib'
import { chromium, type LaunchOptions } from '@playwright/test'
import { extract } from 'tar-fs'

const SYSTEM_NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const MAC_CHROME = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
const require = createRequire(import.meta.url)
const PACKAGE = join(dirname(require.resolve('@sparticuz/chromium')), '..', '..')
const { version } = require(join(PACKAGE, 'package.json')) as { version: string }
/** The pinned browser is unpacked here, once per version. */
const CACHE = fileURLToPath(new URL(`../node_modules/.cache/deeb-chromium-${version}/`, import.meta.url))

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A fixed locale: the machine's own would change the format of date fields. */
const ENV = { ...(process.env as Record<string, string>), LC_ALL: 'en_US.UTF-8', LANGUAGE: 'en_US' }

/**
 * Launch options for the Chromium of the tests: `$CHROMIUM`, else the pinned one of @sparticuz/chromium (Linux x64 only), else
 * the system's, else Playwright's own download. With the pinned one, two machines test the same browser.
 */
export async function browserLaunch(): Promise<LaunchOptions> {
  const chosen = process.env.CHROMIUM
  if (!chosen && process.platform === 'linux' && process.arch === 'x64') return packagedBrowser()
  const executablePath = chosen || systemBrowser() || playwrightBrowser()
  if (!executablePath) throw new Error('No Chromium found: install one, or name it in CHROMIUM.')
  return { executablePath, args: FLAGS, env: ENV }
}

export function systemBrowser(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const paths = SYSTEM_NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...paths, MAC_CHROME].find((path) => existsSync(path))
}

function playwrightBrowser(): string | undefined {
  const path = chromium.executablePath()
  return path && existsSync(path) ? path : undefined
}

async function packagedBrowser(): Promise<LaunchOptions> {
  const binary = join(CACHE, 'chromium')
  if (!existsSync(binary)) await unpack()
  return {
    executablePath: binary,
    args: FLAGS,
    env: {
      ...ENV,
      LD_LIBRARY_PATH: join(CACHE, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(CACHE, 'fonts.conf'),
    },
  }
}

/** Unpacks into a temporary folder and renames it, so that an interrupted run leaves no incomplete browser. */
async function unpack(): Promise<void> {
  const half = `${CACHE.replace(/\/$/, '')}-${process.pid}`
  await mkdir(half, { recursive: true })
  const read = (name: string) => createReadStream(join(PACKAGE, 'bin', name))
  await Promise.all([
    pipeline(read('chromium.br'), createBrotliDecompress(), createWriteStream(join(half, 'chromium'), { mode: 0o755 })),
    pipeline(read('al2023.tar.br'), createBrotliDecompress(), extract(join(half, 'al2023'))),
    pipeline(read('fonts.tar.br'), createBrotliDecompress(), extract(join(half, 'fonts'))),
  ])
  await writeFile(
    join(half, 'fonts.conf'),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${join(CACHE, 'fonts')}</dir><cachedir>${join(CACHE, 'fontconfig')}</cachedir></fontconfig>\n`,
  )
  await rm(CACHE, { recursive: true, force: true })
  await rename(half, CACHE)
}
