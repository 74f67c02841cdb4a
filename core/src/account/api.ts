import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

export const Profile = z.object({
  id: z.uuid(),
  username: z.nullable(z.string()),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  email: z.string(),
  /** The company's domain; null for an address that belongs to no company. */
  companyDomain: z.nullable(z.string()),
})
export type Profile = z.output<typeof Profile>

export const updateUsername = endpoint({
  method: 'PUT',
  path: '/api/profile/username',
  summary: 'Set the own username. It is trimmed; `username_taken` if somebody has it in any letter case.',
  input: z.object({ username: z.string().check(z.maxLength(200)) }),
  output: z.object({ username: z.string() }),
})
