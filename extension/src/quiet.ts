import * as texts from '@deeb/texts/extension'
import { element, ring, showPage } from './elements.ts'
import { untilText } from './icon.ts'
import './language.ts'
import { ask } from './messages.ts'
import { onStored, readCurrent, readKept } from './storage.ts'

/** The address that the browser would have opened. Null for anything else that a page can put behind `#`. */
const target = webAddress(location.hash.slice(1))
document.querySelector('#page')?.classList.add('middle')
onStored(() => void draw())

/** Says that the site waits. Opens it when the browser does not keep it away any more. */
async function draw(): Promise<void> {
  const [{ sites }, { known, blocked }] = await Promise.all([readKept(), readCurrent()])
  const isOf = (site: string) => target?.hostname === site || target?.hostname.endsWith(`.${site}`)
  if (!target || !sites.some(isOf)) return showPage(true, ring(true), element('p', {}, texts.nothingHere()))
  const site = blocked.find(isOf)
  if (!site) return location.replace(target)
  document.title = target.hostname
  const time = known && untilText(known.state)
  const anyway = () => void ask({ type: 'open anyway', site })
  showPage(
    true,
    ring(true),
    element('h1', {}, time ? texts.onUntil({ time }) : texts.on()),
    element('p', { class: 'soft' }, texts.waits({ site })),
    element('button', { type: 'button', class: 'text', onclick: anyway }, texts.openAnyway()),
  )
}

function webAddress(text: string): URL | null {
  const url = URL.parse(text)
  return url && /^https?:$/.test(url.protocol) ? url : null
}
