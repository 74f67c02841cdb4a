import { readSignIn } from '@deeb/core/account/api'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { api } from './calls/api.ts'
import { authClient, openGate, useGate } from './session/auth-session.ts'

const part = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '')
const token = (claims: object) => `${part({ alg: 'none' })}.${part({ sub: 'mara', exp: 4e9, ...claims })}.eA`
const VERIFIED_APP = { id: 'app', factor_type: 'totp', status: 'verified' }

/** The error code with which the server answers calls of the product. */
let refusal: string
/** The user's second factors. */
let factors: object[]

beforeEach(async () => {
  factors = []
  vi.spyOn(window, 'fetch').mockImplementation(async (input) => {
    const headers = { 'x-supabase-api-version': '2024-01-01' }
    if (String(input).includes('/auth/v1/')) return Response.json({ id: 'mara', factors }, { headers })
    return Response.json({ code: refusal, message: '', requestId: '' }, { status: 403 })
  })
  await render(<Shown />)
})
afterEach(async () => {
  openGate()
  await (await authClient()).signOut({ scope: 'local' })
  vi.restoreAllMocks()
})

function Shown() {
  return <p>gate {String(useGate())}</p>
}
const becomes = (gate: string) => expect.element(page.getByText(`gate ${gate}`)).toBeVisible()

async function signIn(sessionId: string, aal: 'aal1' | 'aal2'): Promise<void> {
  await (await authClient()).setSession({ access_token: token({ session_id: sessionId, aal }), refresh_token: 'x' })
}

test('a code is asked for in a session of the password alone, if the account has a second factor', async () => {
  await signIn('one', 'aal1')
  await becomes('null')
  factors = [VERIFIED_APP]
  await signIn('two', 'aal1')
  await becomes('code')
  await signIn('three', 'aal2')
  await becomes('null')
  factors = [{ ...VERIFIED_APP, status: 'unverified' }]
  await signIn('four', 'aal1')
  await becomes('null')
})

test('any refused call closes the gate of its session, until another session replaces it', async () => {
  refusal = 'aal2_required'
  await signIn('one', 'aal1')
  await becomes('null')
  await expect(api(readSignIn, {})).rejects.toMatchObject({ code: 'aal2_required' })
  await becomes('code')
  await signIn('two', 'aal2')
  await becomes('null')
})

test('a required second factor keeps the gate closed while it is added, also in the new session', async () => {
  refusal = 'second_factor_required'
  await signIn('one', 'aal1')
  await expect(api(readSignIn, {})).rejects.toMatchObject({ code: 'second_factor_required' })
  await becomes('factor')
  factors = [VERIFIED_APP]
  await signIn('two', 'aal2')
  await becomes('factor')
  openGate()
  await becomes('null')
})
