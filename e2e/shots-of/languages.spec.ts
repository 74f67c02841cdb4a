import { LANGUAGES, type Language } from '@deeb/core/languages'
import { SITE_PATHS, sitePathIn } from '@deeb/core/paths'
import * as settingsTexts from '@deeb/texts/settings'
import type { MailText } from '../../server/src/mail/messages.ts'
import * as messages from '../../server/src/mail/messages.ts'
import { becomeMara, forEachDialog, openScreen, SCREENS, SIGNED_OUT } from '../every-screen.ts'
import { deebSwitch, test } from '../test.ts'
import { shot } from './shot.ts'

const { SHOTS_LANGUAGE } = process.env
const CHOSEN = LANGUAGES.filter((language) => (SHOTS_LANGUAGE ? language === SHOTS_LANGUAGE : language !== 'en'))

for (const language of CHOSEN) {
  test(`every screen, dialog, public page and email in ${language}`, async ({ page, browser, server, context }, {
    project,
  }) => {
    // A small and a large screen show what a language changes.
    if (!['320', '1280'].includes(project.name)) return
    test.setTimeout(900_000)
    const shoot = (name: string) => shot(page, `${language}/${project.name}/${slug(name)}`, { fullPage: true })
    await context.addCookies([{ name: 'deeb.language', value: language, url: server.url }])
    for (const path of Object.values(SITE_PATHS)) {
      await page.goto(server.url + sitePathIn(language, path))
      await shoot(`site ${path}`)
    }
    for (const path of [...SIGNED_OUT, '/nowhere']) {
      await openScreen(page, server, path)
      await shoot(path)
    }
    await becomeMara(page, browser, server, language)
    const signOut = settingsTexts.signOut({}, { locale: language })
    for (const path of SCREENS) {
      const open = () => openScreen(page, server, path)
      await open()
      await shoot(path)
      await forEachDialog(
        page,
        open,
        (text) => text.includes(signOut),
        (text) => shoot(`${path} ${text}`),
      )
    }
    await openScreen(page, server, '/app/home')
    await deebSwitch(page).click()
    await page.getByRole('timer').waitFor()
    await shoot('/app/home on')
    await page.goto('about:blank')
    await page.setContent(emailsIn(language))
    await shoot('emails')
  })
}

const slug = (text: string) =>
  text
    .replaceAll(/[^\p{L}\d]+/gu, '-')
    .replace(/^-/, '')
    .slice(0, 60)

/** Every email, one below the other. */
function emailsIn(language: Language): string {
  const url = 'https://deeb.fjordlab.example'
  const make: MailText[] = Object.entries(messages)
    .filter(([name]) => name.endsWith('Mail'))
    .map(([name, mail]) => (mail as (...args: unknown[]) => MailText)(...argumentsOf(name, url)))
  const texts = make.map(({ texts }) => texts[language])
  const emails = texts.map(({ subject, body }) => `<h3>${subject}</h3><pre>${body.replaceAll('<', '&lt;')}</pre>`)
  return `<body style="font: 14px/1.4 sans-serif">${emails.join('')}<style>pre { white-space: pre-wrap; overflow-wrap: anywhere }`
}

function argumentsOf(name: string, url: string): unknown[] {
  if (name === 'requestsMail')
    return [url, { count: 7, names: ['Ada Novak', 'Ben Hoff'], unsubscribeUrl: `${url}/unsubscribe` }]
  if (name.startsWith('chat')) return ['Microsoft Teams']
  if (name === 'companyCodeMail') return ['123456']
  return name === 'movedAddressMail' ? ['recovery'] : [url, 'token']
}
