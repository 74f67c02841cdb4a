import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LANGUAGES } from '@deeb/core/languages'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { confirmMail } from './messages.ts'
import { createOutboxFolder, readOutboxFolder, removeEmailsTo } from './outbox-folder.ts'

const TOKEN = 'Ab-_'.repeat(10).concat('xyz')
const AT = new Date('2026-06-15T09:00:00.123Z')

let dataDir: string
let folder: string
let log: string[]
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'deeb-outbox-'))
  folder = join(dataDir, 'outbox')
  log = []
})
afterEach(() => rm(dataDir, { recursive: true }))

const { kind, texts } = confirmMail('http://localhost:3000', TOKEN)
const mail = {
  kind,
  ...texts.en,
  id: '0b6a4f0e-0000-4000-8000-000000000000',
  recipient: 'ann@fjordlab.example',
  unsubscribeUrl: null,
  createdAt: AT,
}

function send(changes = {}): Promise<void> {
  const outbox = createOutboxFolder({
    folder,
    mailFrom: 'deeb <deeb@localhost>',
    log: (line) => log.push(line),
  })
  return outbox({ ...mail, ...changes })
}

test('an email is a file with owner-only permissions, named by time and kind', async () => {
  await send()
  expect(await readdir(folder)).toEqual(['20260615T090000.123Z-confirm.eml'])
  expect((await stat(join(folder, '20260615T090000.123Z-confirm.eml'))).mode & 0o777).toBe(0o600)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
})

test('the file is a complete message with an unbroken link', async () => {
  await send()
  const eml = await readFile(join(folder, '20260615T090000.123Z-confirm.eml'), 'utf8')
  const [head = '', ...body] = eml.split('\r\n\r\n')
  expect(head.split('\r\n')).toEqual(
    expect.arrayContaining([
      'From: deeb <deeb@localhost>',
      'To: ann@fjordlab.example',
      'Subject: Confirm your address for deeb',
      'Date: Mon, 15 Jun 2026 09:00:00 +0000',
      'Message-ID: <0b6a4f0e-0000-4000-8000-000000000000@localhost>',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: 7bit',
    ]),
  )
  expect(body).toContain(`http://localhost:3000/app/confirm#token_hash=${TOKEN}&type=signup`)
  expect(eml.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
})

test.each(LANGUAGES.filter((language) => language !== 'en'))(
  'an email in another language is UTF-8, with an unbroken link: %s',
  async (language) => {
    await send(texts[language])
    const eml = await readFile(join(folder, '20260615T090000.123Z-confirm.eml'), 'utf8')
    const [head = '', ...body] = eml.split('\r\n\r\n')
    expect(head).toMatch(/^[\r\n -~]+$/)
    expect(head.split('\r\n')).toEqual(
      expect.arrayContaining(['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit']),
    )
    expect(body).toContain(`http://localhost:3000/app/confirm#token_hash=${TOKEN}&type=signup`)
    expect(await readOutboxFolder(folder, 1)).toMatchObject([
      { subject: texts[language].subject, body: texts[language].body },
    ])
    expect(log).toEqual([expect.stringContaining(`"${texts[language].subject}"`)])
  },
)

test('reads subjects that are long, or not in Latin letters', async () => {
  for (const subject of [
    'a = b_c ? 100 %20 é'.repeat(6),
    '日本語'.repeat(20),
    'Ж'.repeat(80),
    '€ '.repeat(40).trim(),
  ]) {
    await send({ subject })
    expect((await readOutboxFolder(folder, 1))[0]?.subject).toBe(subject)
    await rm(folder, { recursive: true })
  }
})

test('the log contains file, recipient and subject, never the link', async () => {
  await send()
  const file = join(folder, '20260615T090000.123Z-confirm.eml')
  expect(log).toEqual([`Mail: wrote "Confirm your address for deeb" to ann@fjordlab.example into ${file}`])
})

test('emails of the same millisecond do not overwrite each other', async () => {
  await Promise.all(['a', 'b', 'c'].map((name) => send({ recipient: `${name}@fjordlab.example` })))
  const kept = await readOutboxFolder(folder, 10)
  expect(kept.map(({ recipient }) => recipient).sort()).toEqual([
    'a@fjordlab.example',
    'b@fjordlab.example',
    'c@fjordlab.example',
  ])
})

test('reads the sent emails, newest first', async () => {
  await send({ kind: 'already', subject: 'You already have a deeb account', createdAt: new Date(AT.getTime() + 1) })
  await send()
  await writeFile(join(folder, 'notes.txt'), 'not an email')
  const [newest, oldest] = await readOutboxFolder(folder, 10)
  expect(newest?.subject).toBe('You already have a deeb account')
  expect(oldest).toEqual({
    file: '20260615T090000.123Z-confirm.eml',
    date: 'Mon, 15 Jun 2026 09:00:00 +0000',
    recipient: 'ann@fjordlab.example',
    subject: 'Confirm your address for deeb',
    body: `${mail.body.trimEnd()}\n`,
  })
  expect(await readOutboxFolder(folder, 1)).toHaveLength(1)
})

test('removes the emails to several addresses in one call', async () => {
  const people = ['ann@fjordlab.example', 'bea@fjordlab.example', 'cleo@fjordlab.example']
  for (let n = 0; n < 60; n++) await send({ recipient: people[n % 3], createdAt: new Date(AT.getTime() + n) })
  await Promise.all([removeEmailsTo(folder, people.slice(0, 1)), removeEmailsTo(folder, people.slice(1, 2))])
  const left = await readOutboxFolder(folder, 100)
  expect(left.map(({ recipient }) => recipient)).toEqual(Array(20).fill('cleo@fjordlab.example'))
})

test('a missing folder contains no emails', async () => {
  expect(await readOutboxFolder(folder, 10)).toEqual([])
})
