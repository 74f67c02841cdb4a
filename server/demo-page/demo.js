// Signs in like the app, and stores the auth session where the app reads it.
const button = document.querySelector('button')
const state = document.querySelector('#state')

button.addEventListener('click', async () => {
  button.disabled = true
  state.textContent = state.dataset.busy
  try {
    location.assign(await signIn())
  } catch ({ message }) {
    button.disabled = false
    state.textContent = message === '429' ? state.dataset.full : state.dataset.failed
  }
})
button.disabled = false

async function signIn() {
  const person = await answerOf(fetch('/demo/person', { method: 'POST' }))
  const session = await answerOf(
    fetch('/auth/v1/token?grant_type=password', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(person),
    }),
  )
  const expires_at = Math.floor(Date.now() / 1000) + session.expires_in
  localStorage.setItem('deeb.auth.token', JSON.stringify({ ...session, expires_at }))
  return '/app/home'
}

async function answerOf(request) {
  const response = await request
  if (!response.ok) throw new Error(String(response.status))
  return response.json()
}
