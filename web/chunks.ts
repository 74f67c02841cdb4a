/*
 * Which modules of the app are in which file. The first screen needs as few files as possible, and a release should change as little of
 * them as possible.
 */

interface ModuleInfo {
  importers: readonly string[]
  dynamicImporters: readonly string[]
}

interface Graph {
  getModuleInfo(id: string): ModuleInfo | null
}

const ENTRY = /\/web\/src\/main\.tsx$/
const SITE = /\/web\/src\/marketing\//
/** Its name and content survive releases of deeb. */
const FRAMEWORK = /\/node_modules\/(react|react-dom|scheduler|@tanstack|wouter|regexparam|use-sync-external-store)\//

/** Whether a module is needed before the first paint of the app: `main.tsx` imports it, directly or by other modules. */
function isOfFirstPaint(id: string, graph: Graph, seen = new Set<string>()): boolean {
  if (ENTRY.test(id)) return true
  if (seen.has(id)) return false
  seen.add(id)
  return graph.getModuleInfo(id)?.importers.some((importer) => isOfFirstPaint(importer, graph, seen)) ?? false
}

/** Whether the public pages use a module too. They must not load the app. */
function isOfSite(id: string, graph: Graph, seen = new Set<string>()): boolean {
  if (SITE.test(id)) return true
  if (seen.has(id)) return false
  seen.add(id)
  const { importers = [], dynamicImporters = [] } = graph.getModuleInfo(id) ?? {}
  return [...importers, ...dynamicImporters].some((importer) => isOfSite(importer, graph, seen))
}

/** The file of a module, or null where the bundler decides. */
export function chunkOf(id: string, graph: Graph): string | null {
  if (ENTRY.test(id) || !isOfFirstPaint(id, graph)) return null
  if (FRAMEWORK.test(id)) return 'framework'
  return isOfSite(id, graph) ? 'common' : 'start'
}

/**
 * Small modules that are loaded together are one file each: the first visit has the name of every file. The texts of a room have the name of
 * its file of messages.
 */
export const TOGETHER = Object.entries({
  team: /web\/src\/team\/(copy-link|members|team-cache|team-edits|team-queries|visible-from|wall-display-path)\.ts$|core\/src\/(account\/display-name|circles\/|presence\/|team\/)|calls\/use-is-silent|texts\/team$/,
  circles: /web\/src\/(circles\/(?!ShareDialog)|quiet\/(QuietTimes|calendar|quiet-(queries|text)))/,
  quiet:
    /web\/src\/(team\/([Kk]nock|TeamQuietTimes)|quiet\/(QuietLine|QuietSwitch|quiet-now)|device\/on-touch)|texts\/(knocks|quiet)$/,
  cases: /web\/src\/cases\/(?!use-tap|TappedCase)|core\/src\/cases\//,
  report: /web\/src\/(company-page|download|report\/(?!ReportStart)|ui\/(BandLine|ShareBars|charts))/,
  dialogs: /web\/src\/ui\/(Dialog|FormDialog|Sheet|dialog|sheet|use-focus-after-removal|use-modal)\b/,
  buttons: /web\/src\/ui\/(Button|FormError|TextField|field-look|use-busy|use-submit)\b|texts\/field$/,
  dates: /web\/src\/device\/local-date|core\/src\/(date-text|goals\/weekday-names)|texts\/(dates|weekdays)$/,
  'open-session': /web\/src\/sessions\/likely-end-query|texts\/openSession$/,
  proof: /web\/src\/account\/use-proof\b|core\/src\/account\/agent-name|texts\/signInSettings$/,
  username: /src\/account\/(account-queries|username|UsernameField)\b/,
  'second-factor': /web\/src\/account\/(RequiredFactorScreen|SecondFactor(Form|Screen))\b/,
  passkeys: /web\/src\/account\/(offer-passkey|passkeys)\b/,
  passwords: /web\/src\/account\/(\w+\/)?(CurrentPasswordField|NewPasswordFields|PasswordField)\b/,
  lamp: /web\/src\/lamp\/(Lamp|lamp-models)/,
  language: /web\/src\/language\/Language(Choice|Field)\b/,
  kept: /web\/src\/(calls\/kept|frame\/AsOf)\b/,
  lists:
    /web\/src\/(account\/(ShownOnceDialog|sign-in-settings\/(ListState|Section))|ui\/(QrCode|qr-code|printed-dialog))\b|lean-qr/,
  explained: /web\/src\/(account\/copy-text|ui\/(Disclosure|Explained|SwitchRow))\b|texts\/ui$/,
  codes: /core\/src\/account\/code|texts\/otherWays$/,
  invitations: /core\/src\/invitations\/invitation|web\/src\/account\/invitation/,
  'signed-out': /web\/src\/account\/(FormEnd|last-way|sent-link)\b/,
  address: /web\/src\/account\/(Address|EmailForm|use-email-request)\b/,
}).map(([name, test]) => ({ name, test, includeDependenciesRecursively: false }))
