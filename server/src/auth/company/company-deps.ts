import type { AuthDeps } from '../auth-deps.ts'

/** The dependencies of a company sign-in. The administrator has to see in the log why a provider cannot be used. */
export interface CompanyDeps extends AuthDeps {
  logError(error: unknown, what: string): void
}
