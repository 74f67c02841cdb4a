import { readFileSync } from 'node:fs'

/** Reads the JSON report of vitest or Playwright. A missing one is an empty report with a failure. */
export function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { numPassedTests: 0, numFailedTests: 1 }
  }
}

/** The tests in a report of vitest or Playwright: `{ name, ms, failure, isRetried }`. `failure` is the message, null if it passed. */
export function testsOf(report) {
  return [...(report.testResults ?? []).flatMap(testsOfFile), ...journeysOf(report.suites ?? [])]
}

function testsOfFile({ name: file, status, message, assertionResults }) {
  const tests = assertionResults
    .filter(({ status }) => status === 'passed' || status === 'failed')
    .map(({ fullName, duration = 0, status, failureMessages }) => ({
      name: `${file} › ${fullName}`,
      ms: duration,
      failure: status === 'failed' ? failureMessages.join('\n') : null,
      isRetried: false,
    }))
  const couldNotRun = status === 'failed' && tests.every(({ failure }) => failure === null)
  return couldNotRun ? [...tests, { name: file, ms: 0, failure: message, isRetried: false }] : tests
}

function journeysOf(suites) {
  return suites.flatMap(({ specs, suites = [] }) => [
    ...specs.flatMap(({ file, title, tests }) =>
      tests
        .filter(({ status }) => status !== 'skipped')
        .map(({ projectName, status, results }) => ({
          name: `${projectName}: ${file} › ${title}`,
          ms: results.reduce((sum, { duration }) => sum + duration, 0),
          failure: status === 'unexpected' ? (results.at(-1)?.error?.message ?? '') : null,
          isRetried: status === 'flaky',
        })),
    ),
    ...journeysOf(suites),
  ])
}

/** The browsers of the journeys in Playwright's report; undefined for one of vitest. */
export function browserOf({ config }) {
  return config?.metadata.browser
}
