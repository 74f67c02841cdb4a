import { readFile } from 'node:fs/promises'
import type { CompanyPolicy } from '@deeb/core/account/company'
import type { Config } from '../config/config.ts'
import { SERVER_FOLDER } from '../folders.ts'

const BUNDLED_LIST = `${SERVER_FOLDER}data/free-mail.txt`

/** Loads the rules for companyOf(): the bundled list of free-mail hosts and the settings of the administrator. */
export async function loadCompanyPolicy(
  config: Pick<Config, 'freeMailDomains' | 'companyDomains'>,
): Promise<CompanyPolicy> {
  const lines = (await readFile(BUNDLED_LIST, 'utf8')).split('\n').map((line) => line.trim())
  const bundled = lines.filter((line) => line !== '' && !line.startsWith('#'))
  return { freeMailDomains: new Set([...bundled, ...config.freeMailDomains]), companyDomains: config.companyDomains }
}
