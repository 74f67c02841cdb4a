import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** Fault injection: while `isFull`, synchronous writes of this process that would grow a file fail with ENOSPC. */
export interface FullDisk {
  isFull: boolean
  restore(): void
}

/** Replaces `fs.writeSync`. Call it before opening the embedded database, which writes synchronously. */
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
