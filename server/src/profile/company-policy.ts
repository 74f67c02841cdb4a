import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { CompanyPolicy } from '@deeb/core/account/company'
import type { Config } from '../config.ts'

/** The same place for src/account and for dist/account. */
const BUNDLED_LIST = fileURLToPath(new URL('../../data/free-mail.txt', import.meta.url))

/** What companyOf() goes by on this server: the bundled list of free-mail hosts and what the operator adds. */
export async function loadCompanyPolicy(
  config: Pick<Config, 'freeMailDomains' | 'companyDomains'>,
): Promise<CompanyPolicy> {
  const lines = (await readFile(BUNDLED_LIST, 'utf8')).split('\n').map((line) => line.trim())
  const bundled = lines.filter((line) => line !== '' && !line.startsWith('#'))
  return { freeMailDomains: new Set([...bundled, ...config.freeMailDomains]), companyDomains: config.companyDomains }
}
