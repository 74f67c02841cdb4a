import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Keys } from '../config/keys.ts'
import { isLoopback } from '../config/loopback.ts'
import type { Db } from '../db/db.ts'
import { createDelivery, type Defer, type Delivery } from './delivery.ts'
import { createOutboxFolder } from './outbox-folder.ts'
import { createSmtp } from './smtp.ts'

export interface Mailer extends Delivery {
  /** Lines for the terminal at start: where emails go, and how to read them if they are written to files. */
  describe(keys: Pick<Keys, 'adminKey'>): string
}

export interface MailerDeps {
  config: Config
  db: Db
  now(): Date
  log(line: string): void
  /** Delays sending after a kick(): `deferRandomly`; tests send immediately. */
  defer: Defer
}

/**
 * Runs `send` after 1 to 5 seconds, at random. Prevents a timing attack: sending slows down the next responses, which would reveal
 * that an address has an account.
 */
export function deferRandomly(send: () => void): void {
  setTimeout(send, randomInt(1_000, 5_001)).unref()
}

/** Sends the emails of auth.outbox: by SMTP if SMTP_URL is set, else into files. */
export function createMailer(deps: MailerDeps): Mailer {
  return deps.config.smtpUrl === null ? createFolderMailer(deps) : createSmtpMailer(deps, deps.config.smtpUrl)
}

/** The graceful shutdown waits this long for a mail server that does not answer. */
const STOP_TIMEOUT_MS = 3_000

/** The folder for emails without a mail server. */
export function outboxFolder(config: Pick<Config, 'dataDir'>): string {
  return join(config.dataDir, 'outbox')
}

function createFolderMailer({ config, db, now, log, defer }: MailerDeps): Mailer {
  const folder = outboxFolder(config)
  const send = createOutboxFolder({ folder, mailFrom: config.mailFrom, log })
  const warning =
    'This server is reachable from other machines but sends no email, because SMTP_URL is not set. Pass the links on yourself.'
  return {
    ...createDelivery({ db, send, now, log, defer }),
    describe: ({ adminKey }) =>
      [
        `Emails are written to ${folder}`,
        `Read them at ${localOrigin(config)}/outbox#key=${adminKey}`,
        ...(isLoopback(config.host) ? [] : [warning]),
      ].join('\n'),
  }
}

/** An origin of this server that works on this machine. In development it is that of the dev server. */
function localOrigin({ publicUrl, port }: Config): string {
  return isLoopback(new URL(publicUrl).hostname) ? publicUrl : `http://localhost:${port}`
}

function createSmtpMailer({ config, db, now, log, defer }: MailerDeps, smtpUrl: string): Mailer {
  const { hostname } = new URL(smtpUrl)
  const smtp = createSmtp(smtpUrl, config.mailFrom)
  const delivery = createDelivery({ db, send: smtp.send, now, log, defer })
  return {
    ...delivery,
    start() {
      delivery.start()
      smtp
        .verify()
        .catch((error: Error) => log(`Mail: ${hostname} does not accept mail. Check SMTP_URL: ${error.message}`))
    },
    async stop() {
      const closing = setTimeout(() => smtp.close(), STOP_TIMEOUT_MS)
      await delivery.stop()
      clearTimeout(closing)
      smtp.close()
    },
    describe: () => `Emails are sent through ${hostname}`,
  }
}
