import { describe, expect, it } from 'vitest'
import { namesFromEmail, shownName } from './display-name.ts'

describe('namesFromEmail', () => {
  it.each([
    ['ann.meyer@acme.com', 'Ann', 'Meyer'],
    ['ann_meyer@acme.com', 'Ann', 'Meyer'],
    ['ann-meyer@acme.com', 'Ann', 'Meyer'],
    ['a.m@acme.com', 'A', 'M'],
  ])('reads %s as %s %s', (email, firstName, lastName) => {
    expect(namesFromEmail(email)).toEqual({ firstName, lastName })
  })

  it.each([
    'ann@acme.com',
    'ann.von.meyer@acme.com',
    'ann.meyer-schulz@acme.com',
    'ann.meyer2@acme.com',
    'ann2.meyer@acme.com',
    'ann+meyer@acme.com',
    'ann..meyer@acme.com',
    '.meyer@acme.com',
    "ann.o'hara@acme.com",
    'x@ann.meyer',
  ])('returns null for %s', (email) => {
    expect(namesFromEmail(email)).toEqual({ firstName: null, lastName: null })
  })
})

describe('shownName', () => {
  const person = { firstName: 'Ann', lastName: 'Meyer', username: 'anni', email: 'ann.meyer@acme.com' }

  it('returns first and last name', () => {
    expect(shownName(person)).toBe('Ann Meyer')
  })

  it('returns the username when either name is missing', () => {
    expect(shownName({ ...person, firstName: null, lastName: null })).toBe('anni')
    expect(shownName({ ...person, lastName: null })).toBe('anni')
  })

  it('returns the local part of the address when there is no username', () => {
    expect(shownName({ ...person, firstName: null, lastName: null, username: null })).toBe('ann.meyer')
  })
})
