import { readCurrent, type readKept, setCurrent } from './storage.ts'

const RULE_ID = 1

/** The host permissions that keep a site and its subdomains away. */
export function permissionFor(site: string): chrome.permissions.Permissions {
  return { origins: [`*://*.${site}/*`] }
}

/** The host of what a person typed, such as `news.example.com` of an address. Null if it has none. */
export function siteOf(text: string): string | null {
  const trimmed = text.trim().toLowerCase()
  const url = URL.parse(/^https?:\/\//.test(trimmed) ? trimmed : `https://${trimmed}`)
  const host = url?.hostname.replace(/^www\./, '') ?? ''
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host) ? host : null
}

/** In deeb mode, the browser opens a page of the extension in place of the sites. Rules hold without this script. */
export async function applyQuietList(
  { sites }: Awaited<ReturnType<typeof readKept>>,
  { known, opened, blocked }: Awaited<ReturnType<typeof readCurrent>>,
): Promise<void> {
  const isOn = known?.state.inDeebMode === true
  if (known && !isOn && opened.length > 0) await setCurrent({ opened: [] })
  const quiet = isOn ? sites.filter((site) => !opened.includes(site)) : []
  if (JSON.stringify(quiet) === JSON.stringify(blocked)) return
  await chrome.declarativeNetRequest.updateSessionRules({
    removeRuleIds: [RULE_ID],
    addRules: quiet.length > 0 ? [ruleFor(quiet)] : [],
  })
  // Afterwards, so that the page of a site opens it when the browser does.
  await setCurrent({ blocked: quiet })
}

function ruleFor(requestDomains: string[]): chrome.declarativeNetRequest.Rule {
  return {
    id: RULE_ID,
    condition: {
      requestDomains,
      regexFilter: '^https?://.*',
      resourceTypes: ['main_frame' as chrome.declarativeNetRequest.ResourceType],
    },
    action: {
      type: 'redirect' as chrome.declarativeNetRequest.RuleActionType,
      redirect: { regexSubstitution: `${chrome.runtime.getURL('quiet.html')}#\\0` },
    },
  }
}

/** Lets a site through until the session ends. */
export async function openAnyway(site: string): Promise<void> {
  const { opened } = await readCurrent()
  await setCurrent({ opened: [...new Set([...opened, site])] })
}
