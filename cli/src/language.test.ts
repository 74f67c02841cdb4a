// Runs in npm run test:all.
import { LANGUAGES, type Language } from '@deeb/core/languages'
import { setLanguage } from '@deeb/texts/runtime'
import { afterEach, describe, expect } from 'vitest'
import { parseMinutes } from './duration.ts'
import { setLanguageOf } from './language.ts'
import { stateText } from './state-text.ts'
import { test } from './testing/test.ts'

const since = '2026-06-15T07:10:00.000Z'
const isOff = () => stateText({ inDeebMode: false, since: null, until: null })

describe('the language of the terminal', () => {
  afterEach(() => setLanguage('en'))

  const isOffIn: Record<Language, string> = {
    en: 'Not in deeb mode.',
    de: 'Nicht im deeb-Modus.',
    fr: 'Le mode deeb est désactivé.',
    es: 'El modo deeb está desactivado.',
    it: 'La modalità deeb non è attiva.',
  }

  test.each(LANGUAGES)('can be "%s"', (language) => {
    setLanguageOf({ LANG: language })
    expect(isOff()).toBe(isOffIn[language])
  })

  test.each([
    [{ LANG: 'de_DE.UTF-8' }, 'Nicht im deeb-Modus.'],
    [{ LANG: 'es_MX.UTF-8@euro' }, 'El modo deeb está desactivado.'],
    [{ LANG: 'en_US.UTF-8', LC_MESSAGES: 'de_AT' }, 'Nicht im deeb-Modus.'],
    [{ LANG: 'de_DE', LC_MESSAGES: 'de_DE', LC_ALL: 'C.UTF-8' }, 'Not in deeb mode.'],
    [{ LANG: 'de_DE', LC_ALL: '' }, 'Nicht im deeb-Modus.'],
    [{ LANG: 'POSIX' }, 'Not in deeb mode.'],
    [{ LANG: 'ja_JP.UTF-8' }, 'Not in deeb mode.'],
    [{}, 'Not in deeb mode.'],
  ])('is that of %j', (env, text) => {
    setLanguageOf(env)
    expect(isOff()).toBe(text)
  })

  test.each([
    [{ LANG: 'en_US.UTF-8' }, '9:10 AM'],
    [{ LANG: 'en_US.UTF-8', LC_TIME: 'en_GB.UTF-8' }, '09:10'],
    [{ LANG: 'de_DE.UTF-8', LC_ALL: 'C.UTF-8' }, '09:10'],
    [{}, '09:10'],
  ])('writes times as in the region of %j', (env, time) => {
    setLanguageOf(env)
    const then = new Date(2026, 5, 15, 9, 10).toISOString()
    expect(stateText({ inDeebMode: true, since: then, until: null })).toBe(`In deeb mode since ${time}.`)
  })

  test('shapes whole sentences', () => {
    setLanguageOf({ LANG: 'de_DE.UTF-8' })
    expect(stateText({ inDeebMode: true, since, until: null })).toMatch(/^Im deeb-Modus seit \d\d:\d\d\.$/)
    expect(() => parseMinutes('lunch')).toThrow('„lunch“ ist keine Dauer von 5m bis 8h.')
  })

  test.each([
    [1, 'la 1:05'],
    [10, 'las 10:05'],
    [11, 'las 11:05'],
    [13, 'las 13:05'],
  ])('has the Spanish article of %i o’clock', (hour, time) => {
    setLanguageOf({ LANG: 'es_ES.UTF-8' })
    const then = new Date(2026, 5, 15, hour, 5).toISOString()
    expect(stateText({ inDeebMode: true, since: then, until: null })).toBe(`En modo deeb desde ${time}.`)
    const both = `En modo deeb desde ${time}, hasta ${time} aproximadamente.`
    expect(stateText({ inDeebMode: true, since: then, until: then })).toBe(both)
  })
})

describe('the program on a German computer', () => {
  test.beforeEach(({ computer }) => {
    computer.env.LANG = 'de_DE.UTF-8'
  })

  test('speaks German', async ({ deeb, computer }) => {
    const { token } = await deeb.tokenOf(deeb.ann, ['switch'])
    expect((await computer.run(['status'])).stderr).toContain('Du bist nicht angemeldet.')
    const login = await computer.run(['login', '--server', deeb.origin], `${token}\n`)
    expect(login.stdout).toContain(`Angemeldet bei ${deeb.origin}. Das Token erlaubt switch bis 20`)
    expect((await computer.run(['on'])).stdout).toMatch(/^Im deeb-Modus seit \d\d:\d\d\.\n$/)
    expect((await computer.run(['off'])).stdout).toBe('deeb-Modus nach 0h 0m ausgeschaltet.\n')
    expect((await computer.run(['status', '--all'])).stderr).toContain('„--all“ ist keine Option dieses Befehls.')
    expect((await computer.run(['--help'])).stdout).toMatch(
      /^Aufruf: deeb BEFEHL\n {2}login --server URL {11}mit einem Token/,
    )
  })

  test('has the same exit codes and JSON as an English one', async ({ deeb, computer }) => {
    const { token } = await deeb.tokenOf(deeb.ann, ['switch'])
    await computer.signIn(deeb.origin, token)
    const state = '{"inDeebMode":false,"since":null,"until":null}\n'
    expect(await computer.run(['status', '--json'])).toEqual({ code: 0, stdout: state, stderr: '' })
    expect(await computer.run(['status', '--quiet'])).toEqual({ code: 3, stdout: '', stderr: '' })
  })

  test('answers an assistant in English', async ({ deeb, computer }) => {
    const { token, revoke } = await deeb.tokenOf(deeb.ann, ['switch'])
    await computer.signIn(deeb.origin, token)
    await revoke()
    expect((await computer.run(['mcp'])).stderr).toContain('The token is not valid.')
  })
})
