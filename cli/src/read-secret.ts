import { text } from 'node:stream/consumers'

const INTERRUPT = '\u0003'
const END = '\u0004'
const DELETE = '\u007f'

/** Reads a secret from the terminal without echo, or the first line of standard input if that is not a terminal. */
export async function readSecret(prompt: string): Promise<string> {
  const { stdin, stderr } = process
  if (!stdin.isTTY) return ((await text(stdin)).split('\n')[0] ?? '').trim()
  // Before the prompt: what is typed earlier would be echoed.
  stdin.setRawMode(true)
  stderr.write(prompt)
  try {
    return await readLine()
  } finally {
    stdin.setRawMode(false)
    stdin.pause()
    stderr.write('\n')
  }
}

/** A line of the terminal in raw mode: nothing is shown, and the editing keys are ours. */
async function readLine(): Promise<string> {
  let line = ''
  // Destroyed, the terminal could not leave raw mode, in which Ctrl-C does nothing.
  for await (const chunk of process.stdin.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    for (const key of chunk as string) {
      if (key === '\r' || key === '\n' || key === END) return line.trim()
      if (key === INTERRUPT) return ''
      line = key === '\b' || key === DELETE ? line.slice(0, -1) : line + key
    }
  }
  return line.trim()
}
