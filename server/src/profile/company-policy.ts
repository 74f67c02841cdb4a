import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { CompanyPolicy } from '@deeb/core/account/company'
import type { Config } from '../config.ts'

/** The same path from src/profile and from dist/profile. */
const BUNDLED_LIST = fileURLToPath(new URL('../../data/free-mail.txt', import.meta.url))

/** Loads the rules for companyOf(): the bundled list of free-mail hosts and the settings of the administrator. */
export async function loadCompanyPolicy(
  config: Pick<Config, 'freeMailDomains' | 'companyDomains'>,
): Promise<CompanyPolicy> {
  const lines = (await readFile(BUNDLED_LIST, 'utf8')).split('\n').map((line) => line.trim())
  const bundled = lines.filter((line) => line !== '' && !line.startsWith('#'))
  return { freeMailDomains: new Set([...bundled, ...config.freeMailDomains]), companyDomains: config.companyDomains }
}
