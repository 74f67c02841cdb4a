import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The SQL files in `folder` that differ from the version that was committed first, apart from lines that are comments, or are gone.
 * Only those after `fixed`, by name. Null where git cannot tell: outside a repository, or in a shallow clone.
 */
export function changedSinceLanded(folder: string, fixed = ''): string[] | null {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    if (git('rev-parse', '--is-shallow-repository').trim() === 'true') return null
  } catch {
    return null
  }
  const added = git('log', '--diff-filter=A', '--no-renames', '--relative', '--name-only', '--format=', '--', '.')
  const landed = [...new Set(added.split('\n'))].filter((name) => name.endsWith('.sql') && name > fixed)
  return landed.filter((name) => {
    const commits = git('log', '--diff-filter=A', '--no-renames', '--format=%H', '--', name).trim().split('\n')
    const firstText = git('show', `${commits.at(-1)}:./${name}`)
    const path = join(folder, name)
    return !existsSync(path) || withoutComments(readFileSync(path, 'utf8')) !== withoutComments(firstText)
  })
}

function withoutComments(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(/^ *--.*\n/gm, '')
}
