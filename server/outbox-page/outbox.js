const EVERY_MS = 3_000

// The key is in the fragment so that it reaches no log; only this header carries it.
const key = new URLSearchParams(location.hash.slice(1)).get('key') ?? ''
const state = document.querySelector('#state')
const list = document.querySelector('#mails')
let shown = ''

async function refresh() {
  const mails = await readMails()
  if (mails === null) return say('The key in the address is missing or wrong. Open the address printed at the start.')
  const files = mails.map((mail) => mail.file).join()
  say(mails.length === 0 ? 'No mail yet.' : '')
  // Drawn anew only when there is something new: a selection or the focus on a link survives.
  if (files === shown) return
  shown = files
  list.replaceChildren(...mails.map(drawMail))
}

/** The mails, newest first, or null if the server does not know the key. */
async function readMails() {
  const response = await fetch('/outbox/mails', { headers: { authorization: `Admin ${key}` } })
  return response.ok ? response.json() : null
}

function say(text) {
  if (state.textContent !== text) state.textContent = text
}

function drawMail({ subject, recipient, date, body }) {
  const text = element('pre')
  text.append(...withLinks(body))
  const about = `To ${recipient}, ${new Date(date).toLocaleString()}`
  return element('article', element('h2', subject), element('p', about), text)
}

/** Text with its addresses as links. A split with a group gives text and address by turns. */
function withLinks(text) {
  return text.split(/(https?:\/\/\S+)/).map((part, index) => {
    if (index % 2 === 0) return part
    const link = element('a', part)
    link.href = part
    return link
  })
}

function element(name, ...children) {
  const made = document.createElement(name)
  made.append(...children)
  return made
}

async function keepFresh() {
  await refresh().catch(() => say('The server does not answer.'))
  setTimeout(keepFresh, EVERY_MS)
}

void keepFresh()
