import { readFile } from 'node:fs/promises'
import { SERVER_FOLDER } from '../../folders.ts'

const BUNDLED_LIST = `${SERVER_FOLDER}data/common-passwords.txt`

/**
 * Loads the most common passwords, in lower case. They are the first ones that a brute force tries. Called once at the start: it
 * takes 5 ms and 1.8 MB of memory.
 */
export async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const text = await readFile(BUNDLED_LIST, 'utf8')
  // The comments at the top of the file end with an empty line.
  return new Set(
    text
      .slice(text.indexOf('\n\n') + 2)
      .trimEnd()
      .split('\n'),
  )
}
