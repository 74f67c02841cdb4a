import { APP_PATHS } from '@deeb/core/paths'
import { SETTINGS_PARTS, settingsPath } from '@deeb/core/settings-parts'
import { YEAR_PATH } from '@deeb/core/stats/year'
import { type Browser, expect, type Locator, type Page } from '@playwright/test'
import type { TestServer } from './server.ts'
import { type Calls, MARA, makeAccount, trackRequests } from './test.ts'

/** The screens of a signed-in user. */
export const SCREENS: string[] = [
  APP_PATHS.home,
  APP_PATHS.team,
  APP_PATHS.circles,
  APP_PATHS.profile,
  APP_PATHS.goalSettings,
  APP_PATHS.sessions,
  APP_PATHS.company,
  APP_PATHS.settings,
  APP_PATHS.signInSettings,
  ...SETTINGS_PARTS.map(settingsPath),
  YEAR_PATH,
]

export const SIGNED_OUT: string[] = [
  APP_PATHS.signIn,
  APP_PATHS.signUp,
  APP_PATHS.forgotPassword,
  APP_PATHS.resetPassword,
  APP_PATHS.confirm,
]

const settled = new WeakMap<Page, () => Promise<void>>()

/** Opens a screen, in whatever language, and waits for its data. */
export async function openScreen(page: Page, server: TestServer, path: string): Promise<void> {
  const settle = settled.get(page) ?? trackRequests(page, /\/api\/(?!live)/)
  settled.set(page, settle)
  await page.goto(server.url + path)
  // Firefox would wait for an answer about the printer.
  await page.evaluate(() => {
    window.print = () => undefined
  })
  await expect(page.locator('h1, [role=dialog]').first()).toBeAttached()
  await settle()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
}

/**
 * Signs a page in as Mara. Colleagues are connected, ask to be, and are in a circle of hers, so that the screens are not empty. The page
 * keeps its language: `language` is that of her account.
 */
export async function becomeMara(page: Page, browser: Browser, server: TestServer, language: string): Promise<void> {
  const make = async (name: string) => {
    const { request } = await browser.newContext()
    return makeAccount(request, server, { ...MARA, email: `${name}@fjordlab.example`, username: name })
  }
  const { session, call } = await makeAccount(page.request, server, MARA)
  await fillTeam(call, await make('ada.novak'), await make('ben.hoff'))
  await page.goto(`${server.url}/robots.txt`)
  await page.evaluate(
    ([tokens, tag]) => {
      sessionStorage.setItem('deeb.language.followed', tag)
      const expiresAt = Math.floor(Date.now() / 1000) + tokens.expires_in
      localStorage.setItem('deeb.auth.token', JSON.stringify({ ...tokens, expires_at: expiresAt }))
    },
    [session, language] as const,
  )
}

interface Colleague {
  session: { user: { id: string } }
  call: Calls
}

async function fillTeam(call: Calls, ada: Colleague, ben: Colleague): Promise<void> {
  const start = { sessionId: '01900000-0000-7000-8000-000000000001', timeZone: 'UTC', targetMinutes: 50 }
  await ada.call('POST', '/api/focus/start', start)
  const circle = await call('POST', '/api/circles', { name: 'Backend' })
  await ada.call('POST', '/api/circles/join', { invite: circle.invite })
  const { profile } = await call('GET', '/api/home?timeZone=UTC')
  await ben.call('POST', '/api/team/requests', { userId: profile.id })
  await call('POST', '/api/sessions', inTheWeekBefore())
}

/** A session of half an hour, as early as one may be added: so Profile has an earlier week. */
function inTheWeekBefore() {
  const startedAtMs = Date.now() - 6.9 * 86_400_000
  const [startedAt, endedAt] = [startedAtMs, startedAtMs + 1_800_000].map((ms) => new Date(ms).toISOString())
  return { sessionId: '01900000-0000-7000-8000-000000000002', startedAt, endedAt, timeZone: 'UTC' }
}

/** Opens every dialog that a button of the screen opens, calls `visit` with the button's text, and opens the screen again. */
export async function forEachDialog(
  page: Page,
  open: () => Promise<void>,
  isLeftOut: (text: string) => boolean,
  visit: (text: string) => Promise<void>,
): Promise<void> {
  const { pathname } = new URL(page.url())
  const buttons = page.locator('main button:visible:enabled, main summary:visible')
  for (let index = 0; index < (await buttons.count()); index++) {
    const button = buttons.nth(index)
    const text = ((await button.textContent()) || (await button.getAttribute('aria-label'))) ?? ''
    if (isLeftOut(text) || (await button.getAttribute('type')) === 'submit') continue
    await button.click({ timeout: 5_000 }).catch(() => undefined)
    if (await isShown(page.locator('dialog[open], [role=dialog]').last())) {
      await visit(text)
      // A secret that is shown only once cannot be dismissed.
      await open()
    } else if (new URL(page.url()).pathname !== pathname) await open()
  }
}

async function isShown(dialog: Locator): Promise<boolean> {
  return dialog.waitFor({ timeout: 700 }).then(
    () => true,
    () => false,
  )
}
