import { writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FullConfig, Reporter, Suite, TestCase } from '@playwright/test/reporter'
import { LEFT_OUT_OF_FIREFOX } from './firefox-journeys.ts'

const FILE = fileURLToPath(new URL('../../docs/develop/browsers.md', import.meta.url))

const HEAD = `# Browsers

deeb supports Chrome and Edge 111, Firefox 128, Safari 16.4, and newer ones. The journeys of the tests run in three engines:
Chromium (Chrome and Edge), Firefox, and WebKitGTK, which has the engine of Safari but not its fonts, its touch input and its date
fields. In WebKitGTK they are fewer and shorter, since Playwright cannot drive it. \`npm test\` runs them in Chromium,
\`npm run test:all\` in the others too.

\`npm run build && npm run engines -w e2e\` runs them all and writes this page; with \`-- --project Firefox\` it has one column.

## Engines and journeys

The number of journeys that passed, on the second try at the latest, and the sum of their seconds.
`

/** Writes docs/develop/browsers.md from a run of all journeys in all engines. */
export default class WriteTable implements Reporter {
  #config: FullConfig | undefined
  #root: Suite | undefined

  onBegin(config: FullConfig, root: Suite): void {
    this.#config = config
    this.#root = root
  }

  onEnd(): void {
    const tests = this.#root?.allTests() ?? []
    const engines = [...new Set(this.#config?.projects.map(({ name }) => name))]
    const cellsOf = (tests: TestCase[]) =>
      engines.map((engine) => cell(tests.filter(({ parent }) => parent.project()?.name === engine)))
    const journeys = [...new Set(tests.map(journeyOf))].sort()
    const rows = journeys.map((journey) => [journey, ...cellsOf(tests.filter((test) => journeyOf(test) === journey))])
    const versions = String(this.#config?.metadata.browser).replaceAll(/ \([^)]*\)/g, '')
    const table = [
      ['Journeys', ...engines],
      ['---', ...engines.map(() => '---:')],
      ...rows,
      ['**all**', ...cellsOf(tests)],
    ]
    const lines = table.map((cells) => `| ${cells.join(' | ')} |`)
    const reasons = Object.entries(LEFT_OUT_OF_FIREFOX).map(([reason, names]) => `| ${reason} | ${names.join('; ')} |`)
    writeFileSync(
      FILE,
      `${HEAD}
${versions}.

${lines.join('\n')}

## Left out of Firefox

| Reason | Journeys |
| --- | --- |
${reasons.join('\n')}
`,
    )
  }
}

const journeyOf = (test: TestCase) => basename(test.location.file, '.spec.ts')

function cell(tests: TestCase[]): string {
  if (tests.length === 0) return ''
  const passed = tests.filter((test) => test.ok())
  const ms = tests.flatMap(({ results }) => results.at(-1)?.duration ?? 0).reduce((sum, one) => sum + one, 0)
  const count = passed.length === tests.length ? `${passed.length}` : `${passed.length} of ${tests.length}`
  return `${count} · ${Math.round(ms / 1000)} s`
}
