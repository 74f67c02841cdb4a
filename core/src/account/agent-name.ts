import * as texts from '@deeb/texts/signInSettings'

/* The first match wins: each browser also names those that it descends from. */
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const PLATFORMS: [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPad\b/, 'iPad'],
  [/\biPhone\b/, 'iPhone'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

/** The browser and the platform that a `User-Agent` names: `Firefox on Windows`. A native app is `deeb app on Android`. */
export function agentName(agent: string | null, isBrowser: boolean): string {
  const match = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(agent ?? ''))?.[1]
  const platform = match(PLATFORMS)
  const program = isBrowser ? (match(BROWSERS) ?? texts.browser()) : platform ? texts.nativeApp() : texts.otherProgram()
  return platform ? texts.agentOn({ program, platform }) : program
}
