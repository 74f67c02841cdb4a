import * as v from 'valibot'
import { Uuid } from '../formats.ts'

export const Profile = v.object({
  id: Uuid,
  username: v.nullable(v.string()),
  firstName: v.nullable(v.string()),
  lastName: v.nullable(v.string()),
  email: v.string(),
  /** The domain of the company; null if the address proves no company (`companyOf`). */
  companyDomain: v.nullable(v.string()),
  /** Whether emails about connection requests are switched on. During an upgrade, an older server does not send it. */
  requestEmails: v.optional(v.boolean()),
  /**
   * The language that the person chose; null if they have not. An older server does not send it, and a newer one may have languages that
   * this client does not know.
   */
  language: v.optional(v.nullable(v.string())),
})
export type Profile = v.InferOutput<typeof Profile>
