import type { InjectOptions } from 'fastify'
import { makeScimToken } from '../scim/token.ts'
import { addCompany } from './company.ts'
import type { TestApp } from './test-app.ts'

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
export const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** A SCIM resource, as a test reads it. */
export interface Resource {
  id: string
  userName: string
  active: boolean
  [name: string]: unknown
}

interface ScimAnswer {
  status: number
  headers: Record<string, unknown>
  /** A resource, a list or an error; empty without a body. */
  body: Resource & { totalResults: number; Resources: Resource[]; scimType: string; detail: string }
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The directory of a company, with a token. */
export interface Directory {
  domain: string
  providerId: string
  token: string
  send(method: Method, path: string, payload?: unknown, headers?: Record<string, string>): Promise<ScimAnswer>
  /** Adds a person who is active, with an address at work. */
  add(email: string, more?: object): Promise<Resource>
  patch(id: string, ...operations: object[]): Promise<ScimAnswer>
}

/** Makes a company with an identity provider and a directory. */
export async function openDirectory(testApp: TestApp, domain: string): Promise<Directory> {
  const providerId = await addCompany(testApp.db, domain)
  const token = await makeScimToken(testApp.db, domain, testApp.clock.now())
  if (token === null) throw new Error('There is no such company.')

  async function send(method: Method, path: string, payload?: unknown, headers: Record<string, string> = {}) {
    const request: InjectOptions = {
      method,
      url: `/scim/v2${path}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json', ...headers },
    }
    if (payload !== undefined) request.payload = typeof payload === 'string' ? payload : JSON.stringify(payload)
    const answer = await testApp.app.inject(request)
    return { status: answer.statusCode, headers: answer.headers, body: answer.body === '' ? {} : answer.json() }
  }

  return {
    ...{ domain, providerId, token, send },
    async add(email, more = {}) {
      const emails = [{ value: email, type: 'work', primary: true }]
      const { body, status } = await send('POST', '/Users', { schemas: [USER], userName: email, emails, ...more })
      if (status !== 201) throw new Error(`${status} ${body.detail}`)
      return body
    },
    patch: (id, ...operations) => send('PATCH', `/Users/${id}`, { schemas: [PATCH_OP], Operations: operations }),
  }
}
