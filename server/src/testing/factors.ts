import { unseal } from '../auth/factors/seal.ts'
import { totpCode, totpStep } from '../auth/factors/totp.ts'
import { statement } from '../db/db.ts'
import type { AuthApp } from './auth-app.ts'
import { createAuthClient } from './auth-client.ts'
import { makeUser, PASSWORD } from './make.ts'

export type Device = ReturnType<typeof createAuthClient>

/** Signs in on a new device, or on the given device. */
export async function signIn({ app }: AuthApp, email: string, device: Device = createAuthClient(app)): Promise<Device> {
  const { error } = await device.signInWithPassword({ email, password: PASSWORD })
  if (error) throw error
  return device
}

/** Creates a user who is signed in on one device. */
export async function makePerson(authApp: AuthApp) {
  const { email, userId } = await makeUser(authApp)
  return { email, userId, device: await signIn(authApp, email) }
}

export async function enroll(device: Device, friendlyName = 'Phone') {
  const { data, error } = await device.mfa.enroll({ factorType: 'totp', friendlyName, issuer: 'deeb' })
  if (error) throw error
  return data
}

/** The current code of the authenticator app for a factor. */
export async function codeOf({ auth }: AuthApp, factorId: string): Promise<string> {
  const read = statement('test.secret', 'select secret from auth.mfa_factors where id = :factorId')
  const [row] = await auth.db.query<{ secret: Buffer }>(read, { factorId })
  if (!row) throw new Error('There is no such factor.')
  return totpCode(unseal(auth.keys.sealKeys, row.secret, factorId), totpStep(auth.now()))
}

export async function prove(authApp: AuthApp, device: Device, factorId: string) {
  return device.mfa.challengeAndVerify({ factorId, code: await codeOf(authApp, factorId) })
}

/** Creates a user with a verified factor, on a device with an aal2 auth session. The next code is of a later time step. */
export async function makeProtectedPerson(authApp: AuthApp) {
  const person = await makePerson(authApp)
  const { id } = await enroll(person.device)
  const { error } = await prove(authApp, person.device, id)
  if (error) throw error
  authApp.clock.pass(60)
  return { ...person, factorId: id }
}

/** The response of /whoami to a device: status and error code. */
export async function whoami({ app }: AuthApp, device: Device, headers: Record<string, string> = {}) {
  const authorization = await authorizationOf(device)
  const answer = await app.inject({ url: '/whoami', headers: { authorization, ...headers } })
  return [answer.statusCode, answer.json().code]
}

export async function authorizationOf(device: Device): Promise<string> {
  return `Bearer ${(await device.getSession()).data.session?.access_token}`
}

export async function levelOf(device: Device) {
  return (await device.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel
}
