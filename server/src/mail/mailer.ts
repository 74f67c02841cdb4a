import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Db } from '../db/db.ts'
import type { Keys } from '../keys.ts'
import { isLoopback } from '../loopback.ts'
import { createDelivery, type Defer, type Delivery } from './delivery.ts'
import { createOutboxFolder } from './outbox-folder.ts'
import { createSmtp } from './smtp.ts'

export interface Mailer extends Delivery {
  /** What the person at the terminal should know at the start: where mail goes, and how to read it if it stays here. */
  describe(keys: Pick<Keys, 'adminKey'>): string
}

export interface MailerDeps {
  config: Config
  db: Db
  now(): Date
  log(line: string): void
  /** When mail is sent after a kick(): `deferRandomly`, or immediately in tests. */
  defer: Defer
}

/**
 * After a random time: sending takes work that an unknown address does not cause, and the answers to the requests that
 * follow immediately would show it.
 */
export function deferRandomly(send: () => void): void {
  setTimeout(send, randomInt(1_000, 5_001)).unref()
}

/** Sends what the flows leave in auth.outbox: by SMTP if the operator named a server, else into files. */
export function createMailer(deps: MailerDeps): Mailer {
  return deps.config.smtpUrl === null ? createFolderMailer(deps) : createSmtpMailer(deps, deps.config.smtpUrl)
}

/** A mail server that says nothing shall not keep ours from stopping. */
const PATIENCE_AT_STOP_MS = 3_000

/** Where mail is kept without a mail server. */
export function outboxFolder(config: Pick<Config, 'dataDir'>): string {
  return join(config.dataDir, 'outbox')
}

function createFolderMailer({ config, db, now, log, defer }: MailerDeps): Mailer {
  const folder = outboxFolder(config)
  const send = createOutboxFolder({ folder, mailFrom: config.mailFrom, log })
  const warning =
    'Others can reach this server, but without SMTP_URL it sends them no mail: pass their links on yourself.'
  return {
    ...createDelivery({ db, send, now, log, defer }),
    describe: ({ adminKey }) =>
      [
        `Mail is kept in ${folder}`,
        `Read it at ${originHere(config)}/outbox#key=${adminKey}`,
        ...(isLoopback(config.host) ? [] : [warning]),
      ].join('\n'),
  }
}

/** An origin of this server that this machine can open. In development it is that of the dev server in front. */
function originHere({ publicUrl, port }: Config): string {
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
      smtp.verify().catch((error: Error) => log(`Mail: ${hostname} does not take mail from here: ${error.message}`))
    },
    async stop() {
      const closing = setTimeout(() => smtp.close(), PATIENCE_AT_STOP_MS)
      await delivery.stop()
      clearTimeout(closing)
      smtp.close()
    },
    describe: () => `Mail goes out through ${hostname}`,
  }
}
