import { ENTERPRISE_SCHEMA, LIST_SCHEMA, USER_SCHEMA } from './schemas.ts'
import { MAX_PAGE } from './users.ts'

const CORE = 'urn:ietf:params:scim:schemas:core:2.0'

interface Attribute {
  name: string
  description: string
  type?: 'string' | 'boolean' | 'complex'
  multiValued?: boolean
  required?: boolean
  caseExact?: boolean
  uniqueness?: 'none' | 'server'
  subAttributes?: object[]
}

function attribute({ name, description, type = 'string', ...more }: Attribute) {
  return {
    ...{ name, description, type, multiValued: false, required: false, mutability: 'readWrite', returned: 'default' },
    ...(type === 'string' && { caseExact: false, uniqueness: 'none' }),
    ...more,
  }
}

const USER_ATTRIBUTES = [
  attribute({
    name: 'userName',
    description: 'The name of the person in the directory.',
    required: true,
    uniqueness: 'server',
  }),
  attribute({
    name: 'name',
    description: 'The name of the person.',
    type: 'complex',
    subAttributes: [
      attribute({ name: 'givenName', description: 'The first name.' }),
      attribute({ name: 'familyName', description: 'The last name.' }),
    ],
  }),
  attribute({ name: 'displayName', description: 'The name for display.' }),
  attribute({ name: 'active', description: 'False ends all access to deeb immediately.', type: 'boolean' }),
  attribute({
    name: 'emails',
    description: 'The address at work. Other addresses are not kept.',
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute({ name: 'value', description: 'The address.' }),
      attribute({ name: 'type', description: 'Always work.' }),
      attribute({ name: 'primary', description: 'Always true.', type: 'boolean' }),
    ],
  }),
]

const ENTERPRISE_ATTRIBUTES = [attribute({ name: 'department', description: 'The department of the person.' })]

function schema(id: string, name: string, attributes: object[], publicUrl: string) {
  return {
    schemas: [`${CORE}:Schema`],
    ...{ id, name, description: `What deeb keeps of this: ${name}.`, attributes },
    meta: { resourceType: 'Schema', location: `${publicUrl}/scim/v2/Schemas/${id}` },
  }
}

/** Describes what this server supports, as in RFC 7643. */
export function discoveryOf(publicUrl: string) {
  const user = {
    schemas: [`${CORE}:ResourceType`],
    ...{ id: 'User', name: 'User', endpoint: '/Users', description: 'A person of the company.' },
    ...{ schema: USER_SCHEMA, schemaExtensions: [{ schema: ENTERPRISE_SCHEMA, required: false }] },
    meta: { resourceType: 'ResourceType', location: `${publicUrl}/scim/v2/ResourceTypes/User` },
  }
  const config = {
    schemas: [`${CORE}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_PAGE },
    ...{ changePassword: { supported: false }, sort: { supported: false }, etag: { supported: false } },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'The token that the administrator of deeb makes for the company.',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${publicUrl}/scim/v2/ServiceProviderConfig` },
  }
  const schemas = [
    schema(USER_SCHEMA, 'User', USER_ATTRIBUTES, publicUrl),
    schema(ENTERPRISE_SCHEMA, 'EnterpriseUser', ENTERPRISE_ATTRIBUTES, publicUrl),
  ]
  return { config, user, schemas }
}

/** A page of a list. */
export function listResponse(resources: object[], { total, startIndex }: { total: number; startIndex: number }) {
  return {
    schemas: [LIST_SCHEMA],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  }
}
