import { APP_PATHS } from '@deeb/core/paths'
import * as homeTexts from '@deeb/texts/home'
import { expect, type Page } from '@playwright/test'
import { becomeMara, forEachDialog, openScreen, SCREENS, SIGNED_OUT } from '../every-screen.ts'
import { deebSwitch, test } from '../test.ts'

/** Translates as a browser does: an element with new text replaces each text, now and later. */
function translateAll(): void {
  const isOurs = (text: Text) => text.parentElement?.closest('font, script, style, textarea, [translate=no]') == null
  const translate = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    for (const text of texts.filter((text) => text.data.trim() !== '' && isOurs(text))) {
      const outer = document.createElement('font')
      const inner = document.createElement('font')
      inner.textContent = text.data
      outer.append(inner)
      text.replaceWith(outer)
    }
  }
  new MutationObserver(() => document.body && translate(document.body)).observe(document, {
    ...{ subtree: true, childList: true, characterData: true },
  })
}

/** Inserts elements as an extension does that marks fields and adds buttons of its own. */
function insertForeignElements(): void {
  new MutationObserver(() => {
    for (const parent of document.querySelectorAll('body, main, form, label, button, dialog, li')) {
      if (parent.querySelector(':scope > [data-foreign]')) continue
      const foreign = document.createElement('span')
      foreign.dataset.foreign = ''
      parent.append(foreign)
      parent.prepend(foreign.cloneNode())
    }
  }).observe(document, { subtree: true, childList: true })
}

const CASES = { 'translates each text': translateAll, 'has an extension that inserts elements': insertForeignElements }

for (const [does, change] of Object.entries(CASES)) {
  // The fixture of the page fails the test if React reports an error.
  test(`no screen or dialog crashes in a browser that ${does}`, { tag: '@heavy' }, async ({
    page,
    browser,
    server,
  }) => {
    test.setTimeout(600_000)
    await page.addInitScript(change)
    const pressEverything = async (path: string) => {
      const open = () => openScreen(page, server, path)
      await open()
      await forEachDialog(page, open, isSignOut, () => pressAll(page))
      await expect(page.getByText(homeTexts.screenBroke()), path).toHaveCount(0)
    }
    for (const path of SIGNED_OUT) await pressEverything(path)
    await becomeMara(page, browser, server, 'en')
    await openScreen(page, server, APP_PATHS.home)
    await deebSwitch(page).click()
    await expect(page.getByRole('timer')).toBeVisible()
    for (const path of SCREENS) await pressEverything(path)
  })
}

const isSignOut = (text: string) => /sign out/i.test(text)

/** Presses the buttons of the open dialog, until one closes it. */
async function pressAll(page: Page): Promise<void> {
  const buttons = page.locator('dialog[open] button:visible:enabled')
  for (let index = 0; index < (await buttons.count()); index++) {
    const button = buttons.nth(index)
    if (isSignOut((await button.textContent()) ?? '')) continue
    await button.click({ timeout: 5_000 }).catch(() => undefined)
  }
  await expect(page.getByText(homeTexts.screenBroke())).toHaveCount(0)
}
