import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

interface Engine {
  name: string
  /** Undefined if it is not installed. */
  version: string | undefined
  /** How to install it on Debian and Ubuntu. */
  install: string
}

const PRINT_WEBKIT_VERSION = `import gi
gi.require_version('Gtk', '3.0')
gi.require_version('WebKit2', '4.1')
from gi.repository import WebKit2 as w
print(w.get_major_version(), w.get_minor_version(), w.get_micro_version(), sep='.')`

export const firefoxPath = process.env.FIREFOX || onPath('firefox-esr') || onPath('firefox')

export const FIREFOX: Engine = {
  name: 'Firefox',
  version: firefoxPath && output(firefoxPath, '--version')?.replace('Mozilla Firefox ', ''),
  install: 'apt-get install firefox-esr',
}

/** WebKitGTK has the engine of Safari. */
export const WEBKIT: Engine = {
  name: 'WebKitGTK',
  version: onPath('WebKitWebDriver') && onPath('Xvfb') && output('/usr/bin/python3', '-c', PRINT_WEBKIT_VERSION),
  install: 'apt-get install webkit2gtk-driver gir1.2-webkit2-4.1 python3-gi xvfb',
}

function onPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/** Runs a program and returns its output; undefined if it fails. */
function output(command: string, ...args: string[]): string | undefined {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}
