import * as z from 'zod/mini'
import { LANGUAGES } from '../languages.ts'

export const Profile = z.object({
  id: z.uuid(),
  username: z.nullable(z.string()),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  email: z.string(),
  /** The domain of the company; null if the address proves no company (`companyOf`). */
  companyDomain: z.nullable(z.string()),
  /** Whether emails about connection requests are switched on. During an upgrade, an older server does not send it. */
  requestEmails: z.optional(z.boolean()),
  /** The language that the person chose; null if they have not. During an upgrade, an older server does not send it. */
  language: z.optional(z.nullable(z.enum(LANGUAGES))),
})
export type Profile = z.output<typeof Profile>
