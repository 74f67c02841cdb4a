import { describe, expect } from 'vitest'
import { readConfig } from '../config/config.ts'
import { statement } from '../db/db.ts'
import type { AuthApp } from '../testing/auth-app.ts'
import { makeUser, PASSWORD } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'

const test = base.extend(
  'signUp',
  ({ authApp }) =>
    (email: string) =>
      authApp.app.inject({ method: 'POST', url: '/auth/v1/signup', payload: { email, password: PASSWORD } }),
)

const readCompany = statement('test.company', 'select company_domain as company from profiles where id = :userId')

/** The company of a user who has confirmed this address. */
async function companyOf(app: AuthApp, email: string) {
  const { userId } = await makeUser(app, { email })
  const [profile] = await app.auth.db.query<{ company: string | null }>(readCompany, { userId })
  return profile?.company
}

describe('threat 4: a company address that makes nobody a colleague', () => {
  test.for([
    'support@fjordlab.example',
    'support-123@fjordlab.example',
    'support+ticket4711@fjordlab.example',
    'tickets.42@fjordlab.example',
    'hr_berlin@fjordlab.example',
    'no-reply@fjordlab.example',
    'all@fjordlab.example',
    'postmaster@fjordlab.example',
    'mara.lind+2@fjordlab.example',
  ])('threat 4: %s', async (email, { authApp }) => expect(await companyOf(authApp, email)).toBeNull())

  test('threat 4: the address of a person makes a colleague', async ({ authApp }) => {
    expect(await companyOf(authApp, 'mara.lind@fjordlab.example')).toBe('fjordlab.example')
    expect(await companyOf(authApp, 'support.lind@fjordlab.example')).toBeNull()
    expect(await companyOf(authApp, 'mara@mail.fjordlab.example')).toBe('mail.fjordlab.example')
  })
})

describe('threat 5: a host where anyone can get a mailbox', () => {
  test.for(['gmail.com', 'abc.mozmail.com', 'acme.onmicrosoft.com', 'proton.me', 'mailinator.com', 'gmx.ch', 'web.de'])(
    'threat 5: %s is not a company',
    async (host, { authApp }) => expect(await companyOf(authApp, `mara@${host}`)).toBeNull(),
  )

  test('threat 5: COMPANY_DOMAINS excludes all other companies', async ({ startAuthApp }) => {
    const own = await startAuthApp({ COMPANY_DOMAINS: 'fjordlab.example', FREE_MAIL_DOMAINS: 'free.example' })
    expect(await companyOf(own, 'mara@fjordlab.example')).toBe('fjordlab.example')
    for (const host of ['fjordlab.example.evil.example', 'mail.fjordlab.example', 'acme.example', 'free.example']) {
      expect(await companyOf(own, `mara@${host}`)).toBeNull()
    }
  })
})

describe('threat 96: an address that strangers can get or read', () => {
  const ADDED = [
    'myyahoo.com hotmail.at vivaldi.net silomails.com onmail.com criptext.com mailoo.org telia.com telia.se comhem.se',
    'bredband.net bbox.fr numericable.fr belgacom.net proximus.be scarlet.be base.be tim.it fastwebnet.it pec.it',
    'legalmail.it ono.com movistar.es netcabo.pt clix.pt hinet.net pchome.com.tw netvigator.com starhub.net.sg',
    'streamyx.com telkomsa.net mweb.co.za vodamail.co.za xfinity.com suddenlink.net teksavvy.com sasktel.net',
    'eastlink.ca orcon.net.nz slingshot.co.nz vodafone.co.nz sunrise.ch quickline.ch swissonline.ch inode.at utanet.at',
    'tdcadsl.dk stofanet.dk saunalahti.fi volny.cz zoznam.sk ewe.net ewetel.net bezeqint.net 012.net.il superonline.com',
    'goo.jp zeelandnet.nl caiway.nl wxs.nl dds.nl concepts.nl passport.com webtv.net alum.mit.edu alumni.stanford.edu',
    'cantab.net oxon.org acm.org ieee.org computer.org linux.com',
  ].flatMap((line) => line.split(' '))

  test('threat 96: mailboxes of an internet provider, a membership or a service are not a company', async ({
    authApp,
  }) => {
    const companies: (string | null | undefined)[] = []
    for (const domain of ADDED) companies.push(await companyOf(authApp, `mara@${domain}`))
    expect(companies.filter((company) => company !== null)).toEqual([])
  })

  test.for('dev user users commits issues announce announcements allhands jira servicenow zendesk'.split(' '))(
    'threat 96: %s@ is not a colleague',
    async (local, { authApp }) => {
      expect(await companyOf(authApp, `${local}@fjordlab.example`)).toBeNull()
    },
  )

  test.for(
    'acme-support eu.support acmesupport eu_help acme-helpdesk my.tickets acme-no-reply kernel-list openssl-dev'.split(
      ' ',
    ),
  )('threat 96: %s@ is no colleague by a further word', async (local, { authApp }) => {
    expect(await companyOf(authApp, `${local}@fjordlab.example`)).toBeNull()
  })

  test.for('dev.patel kapil.dev ann.list jan.jira maria.sales'.split(' '))(
    'threat 96: %s@ is a person',
    async (local, { authApp }) =>
      expect(await companyOf(authApp, `${local}@fjordlab.example`)).toBe('fjordlab.example'),
  )
})

test.each([',', ' ', 'fjordlab'])('COMPANY_DOMAINS=%j stops the start with an error message', (text) => {
  expect(() => readConfig({ COMPANY_DOMAINS: text })).toThrow(/^COMPANY_DOMAINS must be a list of domains/)
})

describe('threat 7: addresses that parsers read differently', () => {
  test.for([
    '"ann@evil.example"@fjordlab.example',
    '"ann"@fjordlab.example',
    'ann(comment)@fjordlab.example',
    'ann@fjordlab.example(comment)',
    'ann@evil.example@fjordlab.example',
    'ann@fjordlab.example\r\nBcc: eve@evil.example',
    'ann\r\n@fjordlab.example',
    'ann@fjordlab.example\u0000',
    'Ann <ann@fjordlab.example>',
    'ann@fjordlab.example, eve@evil.example',
    'ann@[192.0.2.1]',
    'ann@192.0.2.1',
    'ann@fjordlab.example.',
    'ann@fjordlab.example/y',
    'ann@fjordlab.example:25',
    'ann@fjord%6cab.example',
    '.ann@fjordlab.example',
    'a..nn@fjordlab.example',
    `${'a'.repeat(65)}@fjordlab.example`,
    'ann@-fjordlab.example',
    'ann@fjordlab',
    'änn@fjordlab.example',
    '\u212aate@fjordlab.example',
  ])('threat 7: rejects %j', async (email, { signUp }) => {
    const answer = await signUp(email)
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'validation_failed'])
  })

  test.for([
    [' Bea@FjordLab.EXAMPLE ', 'bea@fjordlab.example'],
    ['cleo@müller.example', 'cleo@xn--mller-kva.example'],
    ['dora@ｆｊｏｒｄ.example', 'dora@fjord.example'],
    ['emil@fjordlab\u3002example', null],
  ] as const)('threat 7: %j has one normalized form', async ([typed, email], { authApp, signUp }) => {
    const answer = await signUp(typed)
    const read = statement('test.recipients', 'select recipient from auth.outbox where recipient = :email')
    if (email === null) expect(answer.json().code).toBe('validation_failed')
    else {
      expect(answer.json().email).toBe(email)
      expect(await authApp.auth.db.query(read, { email })).toEqual([{ recipient: email }])
    }
  })
})
