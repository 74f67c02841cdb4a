import { ENTERPRISE_SCHEMA, USER_SCHEMA } from './schemas.ts'
import { badRequest } from './scim-error.ts'
import {
  booleanOf,
  chosenEmail,
  emailOf,
  emailsOf,
  type IsOwn,
  isObject,
  type Json,
  member,
  shownTextOf,
  textOf,
  type UserValues,
  userNameOf,
} from './values.ts'

/** A row of auth.scim_users. */
export interface ScimUser extends UserValues {
  id: string
  /** The account with its address; null without one. */
  userId: string | null
  createdAt: Date
  updatedAt: Date
}

/** A person as the directory reads it. */
export function resourceOf(user: ScimUser, publicUrl: string) {
  const { userName, externalId, email, givenName, familyName, displayName, department, active } = user
  return {
    schemas: [USER_SCHEMA, ...(department === null ? [] : [ENTERPRISE_SCHEMA])],
    id: user.id,
    ...(externalId !== null && { externalId }),
    userName,
    ...((givenName ?? familyName) !== null && {
      name: { ...(givenName !== null && { givenName }), ...(familyName !== null && { familyName }) },
    }),
    ...(displayName !== null && { displayName }),
    active,
    ...(email !== null && { emails: [{ value: email, type: 'work', primary: true }] }),
    ...(department !== null && { [ENTERPRISE_SCHEMA]: { department } }),
    meta: {
      resourceType: 'User',
      created: user.createdAt.toISOString(),
      lastModified: user.updatedAt.toISOString(),
      location: locationOf(user, publicUrl),
    },
  }
}

export function locationOf({ id }: Pick<ScimUser, 'id'>, publicUrl: string): string {
  return `${publicUrl}/scim/v2/Users/${id}`
}

/**
 * Reads a whole resource. Other attributes are ignored, passwords too. `active` is that of before if there is none. The address is that
 * of the company: among those of the list, and then the user name.
 */
export function readResource(body: Json, isOwn: IsOwn, activeBefore = true): UserValues {
  if (!isObject(body)) throw badRequest('invalidSyntax', 'The body must be a JSON object.')
  const userName = userNameOf(member(body, 'username'))
  const name = objectOf(member(body, 'name'))
  const enterprise = objectOf(member(body, ENTERPRISE_SCHEMA.toLowerCase()))
  const active = member(body, 'active')
  const emails = emailsOf(member(body, 'emails'))
  const email = chosenEmail([...emails, emailOf(userName)], isOwn)
  return {
    userName,
    externalId: textOf(member(body, 'externalid'), 'externalId'),
    email,
    isByUserName: !emails.includes(email),
    givenName: shownTextOf(member(name, 'givenname')),
    familyName: shownTextOf(member(name, 'familyname')),
    displayName: shownTextOf(member(body, 'displayname')),
    department: shownTextOf(member(enterprise, 'department')),
    active: active === undefined || active === null ? activeBefore : booleanOf(active),
  }
}

function objectOf(value: Json): Record<string, Json> {
  return isObject(value) ? value : {}
}
