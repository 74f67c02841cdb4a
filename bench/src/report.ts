import { figure, median } from './figures.ts'

/** One line of the table of goals. */
interface Goal {
  what: string
  goal: string
  figure: string
  /** Compares two figures of this run, so that it holds on other machines too. */
  isRatio?: true
  /** Null if not measured. */
  isReached: boolean | null
}

/** Collects the results in the order of measurement, and compares them with the goals. */
export interface Report {
  /** A result with its goal. */
  goal(goal: Goal): void
  /** The figures of all rounds, in the unit of the name. */
  raw(name: string, figures: number[]): void
  table(title: string, heads: string[], rows: string[][]): void
  /** A sentence about a measurement. */
  note(text: string): void
  skipped(what: string, why: string): void
  /** The report as Markdown. */
  text(heading: string): string
}

export function createReport(say: (line: string) => void): Report {
  const goals: Goal[] = []
  const raws: string[] = []
  const notes: string[] = []
  const tables: string[] = []
  const skips: string[] = []

  return {
    goal(goal) {
      goals.push(goal)
      say(`${verdict(goal)}: ${goal.what}: ${goal.figure} (goal: ${goal.goal})`)
    },
    raw(name, figures) {
      raws.push(`| ${name} | ${figure(median(figures))} | ${figures.map(figure).join(' · ')} |`)
      say(`  ${name}: ${figure(median(figures))} of ${figures.map(figure).join(' · ')}`)
    },
    table(title, heads, rows) {
      const line = (cells: string[]) => `| ${cells.join(' | ')} |`
      tables.push([`## ${title}\n`, line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n'))
      say(`${tables.at(-1)}`)
    },
    note(text) {
      notes.push(`- ${text}`)
      say(`  ${text}`)
    },
    skipped(what, why) {
      skips.push(`- ${what}: ${why}`)
      say(`skipped: ${what}: ${why}`)
    },
    text: (heading) => `${heading}

## Goals

A ratio compares two figures of the same run. An absolute figure belongs to this machine and its other load.

| what | kind | goal | figure | |
|---|---|---|---|---|
${goals.map(goalRow).join('\n')}

## Raw figures

The median, and the figure of each round.

| what | median | rounds |
|---|---|---|
${raws.join('\n')}
${tables.map((table) => `\n${table}\n`).join('')}${section('Notes', notes)}${section('Skipped', skips)}`,
  }
}

function goalRow(goal: Goal): string {
  const kind = goal.isRatio ? 'ratio' : 'absolute'
  return `| ${goal.what} | ${kind} | ${goal.goal} | ${goal.figure} | ${verdict(goal)} |`
}

function verdict({ isReached }: Goal): string {
  if (isReached === null) return 'not measured'
  return isReached ? 'reached' : '**not reached**'
}

function section(title: string, lines: string[]): string {
  return lines.length > 0 ? `\n## ${title}\n\n${lines.join('\n')}\n` : ''
}
