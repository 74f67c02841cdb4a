const REFRESH_EVERY_MS = 3_000

// The key is in the fragment, so it is in no log. Requests send it in a header only.
const key = new URLSearchParams(location.hash.slice(1)).get('key') ?? ''
const state = document.querySelector('#state')
const list = document.querySelector('#emails')
let shown = ''

async function refresh() {
  const emails = await readEmails()
  if (emails === null)
    return showStatus(
      'The key in the address is missing or wrong. Open the address that the server printed at its start.',
    )
  const files = emails.map((email) => email.file).join()
  showStatus(emails.length === 0 ? 'No email yet.' : '')
  // Rendered again only after a change, so that a text selection and the focus on a link survive.
  if (files === shown) return
  shown = files
  list.replaceChildren(...emails.map(renderEmail))
}

/** The emails, newest first, or null if the key is wrong. */
async function readEmails() {
  const response = await fetch('/outbox/mails', { headers: { authorization: `Admin ${key}` } })
  return response.ok ? response.json() : null
}

function showStatus(text) {
  if (state.textContent !== text) state.textContent = text
}

function renderEmail({ subject, recipient, date, body }) {
  const text = element('pre')
  text.append(...withLinks(body))
  const about = `To ${recipient}, ${new Date(date).toLocaleString()}`
  return element('article', element('h2', subject), element('p', about), text)
}

/** Text with its URLs as links. A split with a group returns text and URL alternately. */
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
  await refresh().catch(() => showStatus('The server does not answer.'))
  setTimeout(keepFresh, REFRESH_EVERY_MS)
}

void keepFresh()
