/** Journeys that do not run in Firefox, by the reason. Each is a file or a part of a title. */
export const LEFT_OUT_OF_FIREFOX: Record<string, string[]> = {
  'It uses the DevTools protocol of Chromium.': [
    'a swipe to the right shows',
    'content-security.spec.ts',
    'notifications.spec.ts',
    'sign-in-ways.spec.ts',
    'a sign follows the switch',
  ],
  'The driver of Firefox does not see the answers of a service worker.': ['installed.spec.ts'],
  'It sets flags of Chromium.': ['site-large-letters.spec.ts', 'pseudo-locales.spec.ts'],
  'It starts a Chromium of its own.': ['extension.spec.ts'],
  'It opens no page.': ['dev-loop.spec.ts'],
  'It is about the native app, which runs in the web view of its system.': ['native.spec.ts', 'in a native app'],
  'Firefox does not measure layout shift.': ['a page loads without layout shift'],
  'axe ends the content process of Firefox ESR 153 on a long journey.': [
    'axe finds no violation on any screen',
    'axe finds no violation on the personal screens',
    'a user connects an app within limits',
    'a user adds a webhook',
    'Slack shows deeb mode from its connection',
  ],
  'Only one page of a journey has the focus of the window; the others receive no focus events.': [
    'at 320 pixels every target',
    'hiding and closing end sight',
    'colleagues search, connect',
  ],
  'The driver of Firefox does not switch scripts off.': ['without script'],
  'The driver of Firefox does not emulate print or reduced motion.': [
    'printed pages show',
    'reduced motion: nothing moves',
  ],
  'The driver of Firefox does not report downloads.': ['a user downloads their data', 'a user gives their sessions'],
  'The driver of Firefox does not report the body of a request.': [
    'asks offline too, and keeps the answer',
    'two tabs that refresh their token',
    'offline a choice goes with the start',
  ],
  'The driver of Firefox hangs in one of two tabs while it holds a request of the other.': [
    'another person who signs in in another tab',
    'a storage that is cleared in another tab',
  ],
  'The driver of Firefox does not fetch the answer of an intercepted request.': [
    'while its first response is in flight',
    'a start with a lost response',
    'closes during a request that reaches the server',
    'a late typeface causes no layout shift',
  ],
}
