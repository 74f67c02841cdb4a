import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FullConfig, Reporter, Suite, TestCase } from '@playwright/test/reporter'
import { LEFT_OUT_OF_FIREFOX } from './firefox-journeys.ts'

const FILE = fileURLToPath(new URL('../test-results/browsers.md', import.meta.url))

const HEAD = `# Journeys by engine

The number of journeys that passed, on the second try at the latest, and the sum of their seconds.
`

/** Writes test-results/browsers.md from a run of all journeys in all engines. */
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
    mkdirSync(dirname(FILE), { recursive: true })
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
