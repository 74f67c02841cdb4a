import { readFileSync } from 'node:fs'

/** Reads the JSON report of vitest or Playwright. A missing report counts as one failure. */
export function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { numPassedTests: 0, numFailedTests: 1, stats: { expected: 0, unexpected: 1, flaky: 0 } }
  }
}

/** Names and messages of the failures in vitest's report: tests, and files that could not run. */
export function failedTests({ testResults = [] }) {
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed')
      if (failed.length === 0) return `${name}\n${message}`
      return failed.map(({ fullName, failureMessages }) => `${name} › ${fullName}\n${failureMessages.join('\n')}`)
    })
}

/** The engines and names of the failed journeys in Playwright's report. */
export function failedJourneys({ suites = [] }) {
  return suites.flatMap(({ specs, suites }) => {
    const failed = specs
      .filter(({ ok }) => !ok)
      .map(({ file, title, tests }) => `${tests[0]?.projectName}: ${file} › ${title}`)
    return [...failed, ...failedJourneys({ suites })]
  })
}

/** The browsers of the journeys, from Playwright's report. */
export function browserOf({ config }) {
  return config?.metadata.browser ?? 'no browser'
}
