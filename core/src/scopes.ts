/**
 * The rights that a personal access token can have. An endpoint names the scopes that reach it; one that names none is closed to
 * tokens. No scope reaches the account, its security or the settings of the company.
 */
export const SCOPES = ['switch', 'read', 'team', 'sign'] as const

export type Scope = (typeof SCOPES)[number]
