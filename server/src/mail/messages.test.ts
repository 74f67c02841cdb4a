import { LANGUAGES, type Language } from '@deeb/core/languages'
import { describe, expect, test } from 'vitest'
import * as messages from './messages.ts'

const URL = 'https://deeb.fjordlab.example'
const TOKEN = 'Ab-_'.repeat(10).concat('xyz')
const UNSUBSCRIBE = `${URL}/unsubscribe?token=${TOKEN}`
const waiting = { names: ['Ann Meyer', 'Ben Okafor'], unsubscribeUrl: UNSUBSCRIBE }

/** One call of each function that makes an email. */
const EMAILS: Record<Extract<keyof typeof messages, `${string}Mail`>, () => messages.MailText> = {
  confirmMail: () => messages.confirmMail(URL, TOKEN, 'invite'),
  alreadyMail: () => messages.alreadyMail(URL),
  recoveryMail: () => messages.recoveryMail(URL, TOKEN),
  movedAddressMail: () => messages.movedAddressMail('recovery'),
  passwordChangedMail: messages.passwordChangedMail,
  emailChangeMail: () => messages.emailChangeMail(URL, TOKEN),
  addressTakenMail: () => messages.addressTakenMail(URL),
  emailChangedMail: messages.emailChangedMail,
  emailChangedByCompanyMail: messages.emailChangedByCompanyMail,
  factorAddedMail: messages.factorAddedMail,
  factorRemovedMail: messages.factorRemovedMail,
  factorsRemovedMail: messages.factorsRemovedMail,
  passkeyAddedMail: messages.passkeyAddedMail,
  passkeyRemovedMail: messages.passkeyRemovedMail,
  tokenCreatedMail: messages.tokenCreatedMail,
  recoveryCodesMadeMail: messages.recoveryCodesMadeMail,
  recoveryCodeUsedMail: messages.recoveryCodeUsedMail,
  companyCodeMail: () => messages.companyCodeMail('123456'),
  companyConnectedMail: messages.companyConnectedMail,
  companyDisconnectedMail: messages.companyDisconnectedMail,
  wrongCodesMail: messages.wrongCodesMail,
  webhookAddedMail: () => messages.webhookAddedMail(URL),
  webhookStoppedMail: () => messages.webhookStoppedMail(URL),
  requestsMail: () => messages.requestsMail(URL, { ...waiting, count: 7 }),
  chatLinkedMail: () => messages.chatLinkedMail('Microsoft Teams'),
  chatRefusedMail: () => messages.chatRefusedMail('Microsoft Teams'),
}

type Translation = Exclude<Language, 'en'>

/** Matches quotation marks and spaces that are wrong in a language. */
const WRONG_PUNCTUATION: Record<Translation, RegExp> = {
  de: /["'«»]| [:;?!]/,
  fr: /[^\u202f][:;?!»]|«[^\u202f]|'/,
  es: /["'“”]| [:;?!]/,
  it: /["'«»„]| [:;?!]/,
}

/** The lines that are nothing but a link, a code or a name. */
const fixedLines = (body: string) => body.match(/^(https:.*|\d{6}|- [A-Z]\w+ [A-Z]\w+)$/gm)
const paragraphs = (body: string) => body.split('\n\n').length

describe.each(Object.entries(EMAILS))('%s', (_name, make) => {
  const { en, ...others } = make().texts

  test('is short in every language, in lines of at most 72 characters', () => {
    for (const { subject, body } of [en, ...Object.values(others)]) {
      const lines = body.split('\n').filter((line) => !line.startsWith('https:'))
      expect(lines.filter((line) => line.length > 72)).toEqual([])
      expect(subject).toMatch(/^.{10,70}$/)
      expect(subject + body).not.toMatch(/[{}<]|\b(undefined|null|NaN)\b/)
      expect(body).toMatch(/\S\n$/)
    }
  })

  test('has the same links, codes and names in every language, and no English text', () => {
    for (const { subject, body } of Object.values(others)) {
      expect(fixedLines(body)).toEqual(fixedLines(en.body))
      expect(body.match(/https:\S+/g)).toEqual(en.body.match(/https:\S+/g))
      expect(paragraphs(body)).toBe(paragraphs(en.body))
      expect(subject).not.toBe(en.subject)
      expect(body).not.toMatch(/\b(the|your|hello|this|email)\b/i)
    }
  })

  test('has the punctuation of its language', () => {
    for (const [language, wrong] of Object.entries(WRONG_PUNCTUATION)) {
      const { subject, body } = others[language as Translation]
      expect(`${subject}\n${body.replaceAll(/https:\S+/g, '')}`).not.toMatch(wrong)
    }
  })
})

test('a link is one whole line, also when it is longer than others', () => {
  for (const { body } of Object.values(EMAILS.confirmMail().texts)) {
    expect(body).toContain(`\n\n${URL}/app/confirm#token_hash=${TOKEN}&type=signup&join=invite\n\n`)
  }
})

test('requestsMail names five people and counts the others', () => {
  const names = ['Ann A', 'Ben B', 'Cleo C', 'Dora D', 'Emil E', 'Finn F']
  const { texts } = messages.requestsMail(URL, { ...waiting, names, count: 6 })
  expect(texts.de.subject).toBe('6 Leute aus deiner Firma möchten sich auf deeb mit dir verbinden')
  expect(texts.de.body).toContain(
    'verbinden:\n\n- Ann A\n- Ben B\n- Cleo C\n- Dora D\n- Emil E\n- und noch jemand\n\nWenn',
  )
  expect(texts.en.body).toContain('- Emil E\n- 1 more\n\nConnected')
})

test.each(LANGUAGES)('requestsMail has no list without names: %s', (language) => {
  const { texts } = messages.requestsMail(URL, { ...waiting, names: [], count: 1 })
  expect(texts[language].body).toMatch(/[^:]\.\n\n/)
  expect(texts[language].body).not.toMatch(/^- |\d/m)
})
