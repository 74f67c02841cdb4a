import * as texts from '@deeb/texts/extension'
import { finishConnection } from './connect.ts'
import { element, ring, showPage } from './elements.ts'
import './language.ts'

const encrypted = location.hash.slice(1)
history.replaceState(null, '', location.pathname)
// A page of somebody else may not frame it.
if (window.top === window) await connect()

async function connect(): Promise<void> {
  if (await finishConnection(encrypted)) return location.replace('page.html')
  document.querySelector('#page')?.classList.add('middle')
  showPage(
    false,
    ring(null),
    element('p', { role: 'alert' }, texts.connectionFailed()),
    element('a', { href: 'page.html' }, texts.settings()),
  )
}
