import { unseal } from '../auth/factors/seal.ts'
import { totpCode, totpStep } from '../auth/factors/totp.ts'
import { statement } from '../db/db.ts'
import type { AuthApp } from './auth-app.ts'
import { createAuthClient } from './auth-client.ts'
import { makeUser, PASSWORD } from './make.ts'

export type Device = ReturnType<typeof createAuthClient>

/** Signs in on a device of its own, or on the one that is given. */
export async function signIn({ app }: AuthApp, email: string, device: Device = createAuthClient(app)): Promise<Device> {
  const { error } = await device.signInWithPassword({ email, password: PASSWORD })
  if (error) throw error
  return device
}

/** Somebody new on one device. */
export async function makePerson(authApp: AuthApp) {
  const { email, userId } = await makeUser(authApp)
  return { email, userId, device: await signIn(authApp, email) }
}

export async function enroll(device: Device, friendlyName = 'Phone') {
  const { data, error } = await device.mfa.enroll({ factorType: 'totp', friendlyName, issuer: 'deeb' })
  if (error) throw error
  return data
}

/** What the authenticator app of a factor shows now. */
export async function codeOf({ auth }: AuthApp, factorId: string): Promise<string> {
  const read = statement('test.secret', 'select secret from auth.mfa_factors where id = :factorId')
  const [row] = await auth.db.query<{ secret: Buffer }>(read, { factorId })
  if (!row) throw new Error('There is no such factor.')
  return totpCode(unseal(auth.keys.sealKeys, row.secret, factorId), totpStep(auth.now()))
}

export async function prove(authApp: AuthApp, device: Device, factorId: string) {
  return device.mfa.challengeAndVerify({ factorId, code: await codeOf(authApp, factorId) })
}

/** Somebody with a factor that counts, on a device that has shown it. The next code is of the next step. */
export async function makeProtectedPerson(authApp: AuthApp) {
  const person = await makePerson(authApp)
  const { id } = await enroll(person.device)
  const { error } = await prove(authApp, person.device, id)
  if (error) throw error
  authApp.clock.pass(60)
  return { ...person, factorId: id }
}

/** What a route of the product says to a device: status and error code. */
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
