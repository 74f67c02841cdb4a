import * as texts from '@deeb/texts/extension'
import { element, ring, showPage } from './elements.ts'
import { untilText } from './icon.ts'
import './language.ts'
import { ask } from './messages.ts'
import { isAt } from './quiet-list.ts'
import { onStored } from './storage.ts'

/** The address that the browser would have opened. Null for anything else that a page can put behind `#`. */
const target = webAddress(location.hash.slice(1))
document.querySelector('#page')?.classList.add('middle')

/** Says that the site waits. Opens it when the browser does not keep it away any more. */
onStored(({ sites }, { known, blocked }) => {
  const isOn = known?.state.inDeebMode ?? null
  document.title = target?.hostname ?? texts.pageTitle()
  const listed = target && sites.find((site) => isAt(target, site))
  if (!target || !listed) return showPage(true, ring(isOn), element('h1', {}, texts.nothingHere()))
  const site = blocked.find((other) => isAt(target, other))
  if (!site) {
    // Another page can see where a window goes that it has opened, and so which sites are listed.
    if (window.opener === null) return location.replace(target)
    const link = element('a', { href: target.href }, texts.openSite({ site: listed }))
    return showPage(true, ring(isOn), element('h1', {}, target.hostname), link)
  }
  const time = known && untilText(known.state)
  const line = !known ? texts.unknown() : time ? texts.onUntil({ time }) : texts.on()
  showPage(
    true,
    ring(isOn),
    element('h1', {}, line),
    element('p', { class: 'soft' }, texts.waits({ site })),
    element(
      'button',
      { id: 'anyway', type: 'button', class: 'text', onclick: () => void ask({ type: 'open anyway', site }) },
      texts.openAnyway(),
    ),
  )
})

function webAddress(text: string): URL | null {
  const url = URL.parse(text)
  return url && /^https?:$/.test(url.protocol) ? url : null
}
