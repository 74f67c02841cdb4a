import { companyOf } from '@deeb/core/account/company'
import { expect, test } from 'vitest'
import { loadCompanyPolicy } from '../../profile/company-policy.ts'
import { loadCommonPasswords } from './common-passwords.ts'

/** Expects the reviewed size within 10 %. A larger difference means another source. */
function expectAbout(size: number, reviewed: number) {
  expect(Math.abs(size - reviewed) / reviewed).toBeLessThan(0.1)
}

test('threat 37: the list of common passwords has the reviewed size and no generated passwords', async () => {
  const list = await loadCommonPasswords()
  expectAbout(list.size, 19_227)
  for (const password of ['12345678', 'password', 'password1', 'iloveyou', 'sunshine', 'qwertyuiop', 'letmein1']) {
    expect(list).toContain(password)
  }
  for (const password of ['seven quiet otters', 'correct horse battery staple', 'qxk7#mwp', '', '# source']) {
    expect(list).not.toContain(password)
  }
  for (const password of list) {
    expect(password.normalize('NFKC').toLowerCase()).toBe(password)
    expect([...password].length).toBeGreaterThanOrEqual(8)
  }
})

test('threat 37: the list of free mail has the reviewed size, contains gmail and not acme', async () => {
  const policy = await loadCompanyPolicy({ companyDomains: null, freeMailDomains: new Set() })
  expectAbout(policy.freeMailDomains.size, 134_155)
  for (const host of ['gmail.com', 'outlook.com', 'gmx.ch', 'proton.me', 'mailinator.com']) {
    expect(companyOf(`mara@${host}`, policy)).toBeNull()
  }
  for (const host of ['acme.com', 'acme.de', 'siemens.com', 'fjordlab.example']) {
    expect(companyOf(`mara@${host}`, policy)).toBe(host)
  }
})
