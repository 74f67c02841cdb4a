import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { OutgoingMail, Send } from './delivery.ts'
import { envelopeOf } from './envelope.ts'

/** A mail as it is shown: no more of it than a person wants to read. */
export interface KeptMail {
  file: string
  date: string
  recipient: string
  subject: string
  body: string
}

/**
 * Where mail goes without a mail server: each one is a file that any mail program opens. The log names file, recipient
 * and subject, never the link.
 */
export function createOutboxFolder({ folder, mailFrom, log }: OutboxFolderDeps): Send {
  return async (mail) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = await writeNew(folder, mail.kind, await compose(mail, mailFrom), mail.createdAt)
    log(`Mail: "${mail.subject}" to ${mail.recipient} is in ${path}`)
  }
}

interface OutboxFolderDeps {
  folder: string
  mailFrom: string
  log(line: string): void
}

/** The newest mails in the folder, newest first. */
export async function readOutboxFolder(folder: string, atMost: number): Promise<KeptMail[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'))
  const newest = names.sort().reverse().slice(0, atMost)
  const mails = await Promise.all(newest.map((file) => readMail(folder, file)))
  return mails.filter((mail) => mail !== null)
}

const composer = createTransport({
  streamTransport: true,
  buffer: true,
  newline: 'windows',
  disableFileAccess: true,
  disableUrlAccess: true,
})

const PLACEHOLDER = 'The text stands here.'

/**
 * The composer folds a line as long as a link into quoted-printable, and whoever copies it out of the file has half a
 * link. RFC 5322 allows lines of 998 characters, so it composes a short text, and ours takes its place.
 */
async function compose(mail: OutgoingMail, mailFrom: string): Promise<string> {
  const { message } = await composer.sendMail({ ...envelopeOf(mail, mailFrom), text: PLACEHOLDER })
  return message.toString().replace(PLACEHOLDER, () => mail.body.trimEnd().replaceAll('\n', '\r\n'))
}

/** Removes all mail to these addresses. */
export async function removeMailsTo(folder: string, addresses: readonly string[]): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((name) => name.endsWith('.eml'))) {
    const mail = await readMail(folder, name)
    if (mail && addresses.includes(mail.recipient)) await rm(join(folder, name), { force: true })
  }
}

/** Null if the file is gone by now: somebody else tidies too. */
async function readMail(folder: string, file: string): Promise<KeptMail | null> {
  try {
    return { file, ...parse(await readFile(join(folder, file), 'utf8')) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/**
 * Named for when the mail was made, not sent, so that the newest link is in the last file. Of two mails of the same
 * millisecond, the second is named for the next.
 */
async function writeNew(folder: string, kind: string, content: string, at: Date): Promise<string> {
  const time = at.toISOString().replaceAll(/[-:]/g, '')
  const path = join(folder, `${time}-${kind}.eml`)
  try {
    await writeFile(path, content, { flag: 'wx', mode: 0o600 })
    return path
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return writeNew(folder, kind, content, new Date(at.getTime() + 1))
  }
}

/** Reads back what compose() wrote; other mail need not be understood. */
function parse(eml: string): Omit<KeptMail, 'file'> {
  const end = eml.indexOf('\r\n\r\n')
  const head = eml.slice(0, end)
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim() ?? ''
  return {
    date: header('Date'),
    recipient: header('To'),
    subject: header('Subject'),
    body: eml.slice(end + 4).replaceAll('\r\n', '\n'),
  }
}
