import { type Current, type Kept, keep, readCurrent, readKept, setCurrent } from './storage.ts'

const SCRIPT_ID = 'quiet'

/** The host permissions that keep a site and its subdomains away. */
export function permissionFor(site: string): { origins: string[] } {
  return { origins: [`*://*.${site}/*`] }
}

/** The host of what a person typed, such as `news.example.com` of an address. Null if it has none. */
export function siteOf(text: string): string | null {
  const trimmed = text.trim().toLowerCase()
  const url = URL.parse(/^https?:\/\//.test(trimmed) ? trimmed : `https://${trimmed}`)
  const host = url?.hostname.replace(/^www\./, '') ?? ''
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host) ? host : null
}

/** Whether an address is of a site or of its subdomains. */
export function isAt({ hostname }: URL, site: string): boolean {
  return hostname === site || hostname.endsWith(`.${site}`)
}

/**
 * In deeb mode, a page of the extension takes the place of the sites. The script that does it runs in each page that is loaded, also in one
 * that the site's own service worker serves, and without the background script. Pages that are open stay.
 */
export async function applyQuietList({ sites }: Kept, { known, opened, blocked }: Current): Promise<void> {
  const isOn = known?.state.inDeebMode === true
  if (known && !isOn && opened.length > 0) await setCurrent({ opened: [] })
  const quiet = isOn ? sites.filter((site) => !opened.includes(site)) : []
  if (JSON.stringify(quiet) === JSON.stringify(blocked)) return
  await registerScript(quiet)
  // Afterwards, so that the page of a site opens it when the browser does.
  await setCurrent({ blocked: quiet })
}

async function registerScript(sites: string[]): Promise<void> {
  const { scripting } = chrome
  const isRegistered = (await scripting.getRegisteredContentScripts({ ids: [SCRIPT_ID] })).length > 0
  if (sites.length === 0) {
    if (isRegistered) await scripting.unregisterContentScripts({ ids: [SCRIPT_ID] })
    return
  }
  const script: chrome.scripting.RegisteredContentScript = {
    id: SCRIPT_ID,
    js: ['away.js'],
    matches: sites.flatMap((site) => permissionFor(site).origins),
    runAt: 'document_start',
    persistAcrossSessions: false,
  }
  await (isRegistered ? scripting.updateContentScripts([script]) : scripting.registerContentScripts([script]))
}

/** Lets a site through until the session ends. */
export async function openAnyway(site: string): Promise<void> {
  const { opened } = await readCurrent()
  await setCurrent({ opened: [...new Set([...opened, site])] })
}

/** Drops the sites and the nudge that the person does not allow any more: in the browser's settings, a permission can be taken back. */
export async function dropDenied(): Promise<void> {
  const { sites, nudges } = await readKept()
  const allowed = await Promise.all(sites.map((site) => chrome.permissions.contains(permissionFor(site))))
  await keep({
    sites: sites.filter((_, index) => allowed[index]),
    nudges: nudges && (await chrome.permissions.contains({ permissions: ['idle'] })),
  })
}
