import { settingsPath } from '@deeb/core/settings-parts'
import * as texts from '@deeb/texts/extension'
import { element, ring, showPage } from './elements.ts'
import { untilText } from './icon.ts'
import './language.ts'
import { ask, askToChange } from './messages.ts'
import { permissionFor, siteOf } from './quiet-list.ts'
import { type Current, type Kept, keep, onStored, readCurrent, readKept } from './storage.ts'

/** Why the last press of a part did nothing. */
const failures: Partial<Record<'switch' | 'connect' | 'quiet' | 'nudge', string>> = {}
/** The text of the fields, kept when the page is drawn again. */
const typed = { server: '', site: '' }

onStored(show)

/** Draws the page again, with what a press has brought. */
async function draw(): Promise<void> {
  show(await readKept(), await readCurrent())
}

function show(kept: Kept, current: Current): void {
  document.title = texts.pageTitle()
  const line = stateLine(kept, current)
  say(line)
  showPage(
    current.known?.state.inDeebMode === true,
    stateSection(line, kept, current),
    ...(kept.login ? [quietSection(kept), nudgeSection(kept), connectionSection(kept.login)] : [connectSection()]),
  )
}

function stateLine({ login }: Kept, { known }: Current): string {
  if (!login) return texts.notConnected()
  if (!known) return texts.unknown()
  if (!known.state.inDeebMode) return texts.off()
  const time = untilText(known.state)
  return time === null ? texts.on() : texts.onUntil({ time })
}

/** Screen readers say a new state: the region stays when the page is drawn again. */
function say(line: string): void {
  const region = document.querySelector('#status')
  if (region && region.textContent !== line) region.textContent = line
}

function stateSection(line: string, { login }: Kept, { known }: Current): HTMLElement {
  const isOn = known?.state.inDeebMode
  const press = async () => {
    failures.switch = await askToChange({ type: 'switch', on: !isOn })
    await draw()
  }
  return element(
    'div',
    { class: 'top' },
    ring(isOn ?? null),
    element(
      'div',
      {},
      element('h1', {}, line),
      login && known
        ? element(
            'button',
            { id: 'switch', type: 'button', onclick: () => void press() },
            isOn ? texts.switchOff() : texts.switchOn(),
          )
        : null,
      alertOf('switch'),
    ),
  )
}

function connectSection(): HTMLElement {
  const field = textField('server', 'https://')
  const connect = async () => {
    const origin = originOf(typed.server)
    const url = origin && (await ask<string | null>({ type: 'connect', origin }))
    failures.connect = url ? '' : origin ? texts.notDeeb({ server: origin }) : texts.noAddress()
    if (url) location.assign(url)
    else await draw()
  }
  return element(
    'section',
    { 'aria-labelledby': 'connect' },
    element('h2', { id: 'connect' }, texts.connect()),
    element('p', { class: 'soft' }, texts.connectHint()),
    form(texts.serverLabel(), field, texts.connectThis(), connect, 'primary'),
    alertOf('connect'),
  )
}

function quietSection({ sites }: Kept): HTMLElement {
  const add = async () => {
    const site = siteOf(typed.site)
    // The browser asks only in the answer to a press: nothing may be awaited before.
    const isAllowed = site && (await chrome.permissions.request(permissionFor(site)))
    failures.quiet = isAllowed ? '' : site ? texts.notAllowed() : texts.noSite()
    if (isAllowed) {
      typed.site = ''
      await keep({ sites: [...new Set([...sites, site])].sort() })
    }
    await draw()
  }
  const remove = async (site: string) => {
    await keep({ sites: sites.filter((other) => other !== site) })
    await chrome.permissions.remove(permissionFor(site))
    document.getElementById('site')?.focus()
  }
  return element(
    'section',
    { 'aria-labelledby': 'quiet' },
    element('h2', { id: 'quiet' }, texts.quietList()),
    element('p', { class: 'soft' }, texts.quietHint()),
    form(texts.site(), textField('site', 'news.example.com'), texts.add(), add),
    alertOf('quiet'),
    sites.length === 0
      ? null
      : element(
          'ul',
          {},
          ...sites.map((site) =>
            element(
              'li',
              {},
              site,
              element(
                'button',
                {
                  id: `remove-${site}`,
                  type: 'button',
                  class: 'text',
                  'aria-label': texts.removeSite({ site }),
                  onclick: () => void remove(site),
                },
                texts.remove(),
              ),
            ),
          ),
        ),
  )
}

function nudgeSection({ nudges }: Kept): HTMLElement {
  const change = async () => {
    const idle: chrome.permissions.Permissions = { permissions: ['idle'] }
    const isAllowed = nudges || (await chrome.permissions.request(idle))
    failures.nudge = isAllowed ? '' : texts.notAllowed()
    await keep({ nudges: isAllowed && !nudges })
    if (nudges) await chrome.permissions.remove(idle)
    await draw()
  }
  return element(
    'section',
    { 'aria-labelledby': 'nudge' },
    element('h2', { id: 'nudge' }, texts.nudge()),
    element(
      'label',
      {},
      element('input', { id: 'nudges', type: 'checkbox', checked: nudges, onchange: () => void change() }),
      texts.nudgeHint(),
    ),
    alertOf('nudge'),
  )
}

function connectionSection({ server }: { server: string }): HTMLElement {
  return element(
    'section',
    { 'aria-labelledby': 'connection' },
    element('h2', { id: 'connection' }, texts.connectedWith({ server: new URL(server).host })),
    element('p', { class: 'soft' }, `${texts.onlySwitches()} ${texts.disconnectNote()}`),
    element(
      'div',
      { class: 'row' },
      element('a', { id: 'apps', href: server + settingsPath('apps') }, texts.connectedApps()),
      element(
        'button',
        { id: 'disconnect', type: 'button', class: 'text', onclick: () => void keep({ login: null }) },
        texts.disconnect(),
      ),
    ),
  )
}

function textField(name: keyof typeof typed, placeholder: string): HTMLInputElement {
  const field = element('input', { id: name, type: 'text', placeholder, autocapitalize: 'none', spellcheck: 'false' })
  field.value = typed[name]
  field.addEventListener('input', () => {
    typed[name] = field.value
  })
  return field
}

function form(
  label: string,
  field: HTMLInputElement,
  action: string,
  submit: () => Promise<void>,
  kind = '',
): HTMLElement {
  field.setAttribute('aria-label', label)
  const made = element('form', {}, field, element('button', { id: `${field.id}-submit`, class: kind }, action))
  made.addEventListener('submit', (event) => {
    event.preventDefault()
    void submit()
  })
  return made
}

function alertOf(part: keyof typeof failures): HTMLElement | null {
  return failures[part] ? element('p', { class: 'alert', role: 'alert' }, failures[part]) : null
}

function originOf(text: string): string | null {
  const trimmed = text.trim()
  const scheme = /^(localhost|127\.\d+\.\d+\.\d+)(:|$)/.test(trimmed) ? 'http' : 'https'
  const url = URL.parse(/^https?:\/\//.test(trimmed) ? trimmed : `${scheme}://${trimmed}`)
  return url && url.hostname !== '' ? url.origin : null
}
