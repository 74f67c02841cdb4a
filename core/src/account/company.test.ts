import { describe, expect, it } from 'vitest'
import { companyOf } from './company.ts'

const open = {
  freeMailDomains: new Set(['gmail.com', 'mozmail.com', 'onmicrosoft.com', 'mail.co.uk']),
  companyDomains: null,
}

describe('companyOf', () => {
  it.each([
    ['ann@acme.com', 'acme.com'],
    ['ann.meyer@acme.co.uk', 'acme.co.uk'],
    // A subdomain is a separate company: acme.com may let anyone have a mailbox below it.
    ['ann@berlin.acme.com', 'berlin.acme.com'],
    ['ann@xn--mller-kva.de', 'xn--mller-kva.de'],
    // Only whole labels match.
    ['ann@notgmail.com', 'notgmail.com'],
    ['ann@gmail.com.acme.com', 'gmail.com.acme.com'],
  ])('returns for %s the company %s', (email, company) => {
    expect(companyOf(email, open)).toBe(company)
  })

  it.each(['ann@gmail.com', 'abc@abc.mozmail.com', 'ann@acme.onmicrosoft.com', 'ann@a.b.mail.co.uk'])(
    'returns null for the free email address %s',
    (email) => {
      expect(companyOf(email, open)).toBeNull()
    },
  )

  it.each([
    ...['ann+deeb', 'support+id42', '+', 'ann+', '+ann'],
    ...['support', 'help', 'info', 'sales', 'noreply', 'tickets', 'all', 'team', 'hr', 'it', 'abuse', 'postmaster'],
    ...['contact', 'office', 'billing', 'accounts', 'jobs', 'careers', 'marketing', 'press', 'legal', 'security'],
    ...['webmaster', 'hostmaster', 'admin', 'root', 'mail', 'hello', 'group', 'list', 'service', 'ticket', 'kontakt'],
    ...[
      'support-123',
      'support123',
      'support_123',
      'tickets.42',
      'ticket-9f3ab2',
      'support=42',
      '_support',
      'hr-berlin',
    ],
    ...['no-reply', 'no.reply', 'no_reply', 'noreply-42', 'donotreply', 'do-not-reply', 'mailer-daemon', 'it.support'],
    ...['customer.service', 'contact-us', 'web-admin'],
    ...['acme-support', 'eu.support', 'acmesupport', 'berlin_help', 'acme.helpdesk', 'my-tickets', 'eu-noreply'],
    ...['acme.no-reply', 'acme-do-not-reply', 'dev', 'dev-42', 'openssl-dev', 'jira', 'jira-acme', 'kernel-list-eu'],
    ...['spark.user', 'httpd-users', 'acme.commits', 'announce', 'allhands', 'servicenow', 'zendesk-eu'],
  ])('returns null for the shared mailbox %s@', (local) => {
    expect(companyOf(`${local}@acme.com`, open)).toBeNull()
  })

  it.each([
    'ann',
    'a.meyer',
    'supportive',
    'steve.jobs',
    'maria.sales',
    'mark',
    'dev.patel',
    'dev_patel',
    'kapil.dev',
    'ann.list',
    'ann_list2',
    'jan.jira',
    'helpmann',
    'casino.reply',
    'h.r.meyer',
    'no',
    'norbert',
    '4711',
  ])('does not treat %s@ as a shared mailbox', (local) => {
    expect(companyOf(`${local}@acme.com`, open)).toBe('acme.com')
  })

  describe('with an allowlist of companies', () => {
    const closed = { ...open, companyDomains: new Set(['acme.com', 'gmail.com']) }

    it('returns only companies of the list', () => {
      expect(companyOf('ann@acme.com', closed)).toBe('acme.com')
      expect(companyOf('eve@evil.com', closed)).toBeNull()
      expect(companyOf('ann@berlin.acme.com', closed)).toBeNull()
    })

    it('prefers the list to the list of free email domains', () => {
      expect(companyOf('ann@gmail.com', closed)).toBe('gmail.com')
    })

    it('returns null for a shared mailbox', () => {
      expect(companyOf('support@acme.com', closed)).toBeNull()
      expect(companyOf('ann+1@acme.com', closed)).toBeNull()
    })

    it('returns null for every address when the list is empty', () => {
      expect(companyOf('ann@acme.com', { ...open, companyDomains: new Set() })).toBeNull()
    })
  })
})
