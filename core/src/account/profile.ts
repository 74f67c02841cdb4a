import * as z from 'zod/mini'

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
})
export type Profile = z.output<typeof Profile>
