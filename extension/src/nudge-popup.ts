import * as texts from '@deeb/texts/extension'
import { element, showPage } from './elements.ts'
import './language.ts'
import { askToChange, type Message } from './messages.ts'
import { readCurrent } from './storage.ts'

const { nudgeSince } = await readCurrent()
const count = Math.round((Date.now() - (nudgeSince ?? Date.now())) / 60_000)
document.querySelector('#page')?.classList.add('popup')
show('')

function show(failure: string): void {
  const choose = (message: Message) => async () => {
    const failure = await askToChange(message)
    if (failure) show(failure)
    else window.close()
  }
  const button = (label: string, message: Message, kind = '') =>
    element('button', { type: 'button', class: kind, onclick: () => void choose(message)() }, label)
  showPage(
    false,
    element('h1', {}, texts.countThem({ count })),
    button(texts.count({ count }), { type: 'count' }, 'primary'),
    button(texts.startNow(), { type: 'switch', on: true }),
    button(texts.notNow(), { type: 'not now' }, 'text'),
    failure ? element('p', { class: 'alert', role: 'alert' }, failure) : null,
  )
}
