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
  /**
   * The language that the person chose; null if they have not. An older server does not send it, and a newer one may have languages that
   * this client does not know.
   */
  language: z.optional(z.nullable(z.string())),
})
export type Profile = z.output<typeof Profile>
