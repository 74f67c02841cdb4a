import { saveLead } from '@deeb/core/visitors/api'
import { expect } from 'vitest'
import { test } from '../testing/test.ts'
import { forgetVisitor, listLeads } from './visitors.ts'

test('visitors forget deletes an address from all lists, and no other address', async ({ app }) => {
  for (const [email, source] of [
    ['ann@fjordlab.example', 'main_coming_soon'],
    ['ann@fjordlab.example', 'coming_soon_page'],
    ['bea@fjordlab.example', 'coming_soon_page'],
  ] as const) {
    const payload = { email, source, ...(email.startsWith('bea') ? { purpose: 'pilot' } : {}) }
    await app.inject({ method: 'POST', url: saveLead.path, payload })
  }
  const { db } = app
  expect(await listLeads(db)).toHaveLength(3)
  expect(await forgetVisitor(db, 'ann@fjordlab.example')).toEqual([
    'Deleted ann@fjordlab.example from coming_soon_page and main_coming_soon.',
  ])
  expect(await listLeads(db)).toEqual([expect.stringMatching(/^bea@fjordlab\.example\tcoming_soon_page\t\S+\tpilot$/)])
  await expect(forgetVisitor(db, 'ann@fjordlab.example')).rejects.toThrow('ann@fjordlab.example is on no list.')
})

test('threat 92: visitors leads prints no cell that a spreadsheet would run as a formula', async ({ app }) => {
  const emails = ["=cmd|'/ccalc'!a0+@x.example", '=1+1@x.example', '+1-2@x.example', '-2+3@x.example']
  for (const email of emails) {
    const payload = { email, source: 'coming_soon_page' }
    expect((await app.inject({ method: 'POST', url: saveLead.path, payload })).statusCode).toBe(200)
  }
  const cells = (await listLeads(app.db)).flatMap((line) => line.split('\t'))
  expect(cells).toEqual(expect.arrayContaining(emails.map((email) => `'${email}`)))
  expect(cells.filter((cell) => /^[=+\-@]/.test(cell))).toEqual([])
  for (const email of emails) await forgetVisitor(app.db, email)
})
