import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { OutgoingMail, Send } from './delivery.ts'
import { envelopeOf } from './envelope.ts'

/** An email of the outbox folder, as the outbox page shows it. */
export interface StoredEmail {
  file: string
  date: string
  recipient: string
  subject: string
  body: string
}

/**
 * Sends emails into files, for a server without SMTP. Every mail program can open them. The log contains file, recipient and
 * subject, but never the link.
 */
export function createOutboxFolder({ folder, mailFrom, log }: OutboxFolderDeps): Send {
  return async (mail) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = await writeNew(folder, mail.kind, await compose(mail, mailFrom), mail.createdAt)
    log(`Mail: wrote "${mail.subject}" to ${mail.recipient} into ${path}`)
  }
}

interface OutboxFolderDeps {
  folder: string
  mailFrom: string
  log(line: string): void
}

/** The `limit` newest emails of the folder, newest first. */
export async function readOutboxFolder(folder: string, limit: number): Promise<StoredEmail[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'))
  const newest = names.sort().reverse().slice(0, limit)
  const emails = await Promise.all(newest.map((file) => readEmail(folder, file)))
  return emails.filter((email) => email !== null)
}

const composer = createTransport({
  streamTransport: true,
  buffer: true,
  newline: 'windows',
  disableFileAccess: true,
  disableUrlAccess: true,
})

const PLACEHOLDER = 'The text goes here.'

/**
 * Composes the file of an email. The composer would break long links (quoted-printable), and a link copied from the file would be
 * incomplete. So it composes a placeholder, which is replaced by the text as UTF-8; RFC 5322 allows lines of 998 characters.
 */
async function compose(mail: OutgoingMail, mailFrom: string): Promise<string> {
  const { message } = await composer.sendMail({ ...envelopeOf(mail, mailFrom), text: PLACEHOLDER })
  const eml = message.toString().replace(PLACEHOLDER, () => mail.body.trimEnd().replaceAll('\n', '\r\n'))
  return isAscii(mail.body) ? eml : eml.replace('Content-Transfer-Encoding: 7bit', 'Content-Transfer-Encoding: 8bit')
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length
}

/** Deletes all emails to these addresses. */
export async function removeEmailsTo(folder: string, addresses: readonly string[]): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((name) => name.endsWith('.eml'))) {
    const email = await readEmail(folder, name)
    if (email && addresses.includes(email.recipient)) await rm(join(folder, name), { force: true })
  }
}

/** Null if the file was deleted concurrently. */
async function readEmail(folder: string, file: string): Promise<StoredEmail | null> {
  try {
    return { file, ...parse(await readFile(join(folder, file), 'utf8')) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/**
 * Writes a new file, named by the creation time of the email, so that the newest link is in the last file. If the name is taken,
 * it uses the next millisecond.
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

/** Parses the output of compose(). Other email formats are not supported. */
function parse(eml: string): Omit<StoredEmail, 'file'> {
  const end = eml.indexOf('\r\n\r\n')
  const head = eml.slice(0, end).replaceAll(/\r\n(?=[ \t])/g, '')
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim() ?? ''
  return {
    date: header('Date'),
    recipient: header('To'),
    subject: decoded(header('Subject')),
    body: eml.slice(end + 4).replaceAll('\r\n', '\n'),
  }
}

/** A header without the encoded words of RFC 2047. The composer never cuts a character in two. */
function decoded(header: string): string {
  return header
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([qb])\?(.*?)\?=/gi, (_word, encoding: string, text: string) =>
      encoding.toUpperCase() === 'B' ? Buffer.from(text, 'base64').toString() : decodedQ(text),
    )
}

function decodedQ(text: string): string {
  return decodeURIComponent(text.replaceAll('%', '%25').replaceAll('_', '%20').replaceAll('=', '%'))
}
