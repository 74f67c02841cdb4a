import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** A disk of this process that may be full: then no file becomes longer, as far as it is written synchronously. */
export interface FullDisk {
  isFull: boolean
  restore(): void
}

/** The embedded database writes its files synchronously. To be called before it is opened. */
export function fillableDisk(): FullDisk {
  const write = fs.writeSync as (...args: unknown[]) => number
  const disk = {
    isFull: false,
    restore() {
      fs.writeSync = write as typeof fs.writeSync
      syncBuiltinESMExports()
    },
  }
  const guarded = (fd: number, data: unknown, offset?: unknown, length?: unknown, position?: unknown) => {
    if (disk.isFull && typeof length === 'number' && typeof position === 'number') {
      const stats = fs.fstatSync(fd)
      if (stats.isFile() && position + length > stats.size) {
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28 })
      }
    }
    return write(fd, data, offset, length, position)
  }
  fs.writeSync = guarded as typeof fs.writeSync
  syncBuiltinESMExports()
  return disk
}
