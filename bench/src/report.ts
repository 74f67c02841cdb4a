import { figure, median } from './figures.ts'

/** One line of the table of goals. */
interface Goal {
  what: string
  goal: string
  figure: string
  /** Null where nothing was measured. */
  isReached: boolean | null
}

/** What was seen, in the order in which it was measured, and how it stands beside the goals. */
export interface Report {
  /** A figure beside its goal. */
  goal(goal: Goal): void
  /** Raw figures of rounds, in the unit that the name says. */
  raw(name: string, figures: number[]): void
  /** A sentence about a measurement. */
  note(text: string): void
  skipped(what: string, why: string): void
  /** Markdown. */
  text(heading: string): string
}

export function createReport(say: (line: string) => void): Report {
  const goals: Goal[] = []
  const raws: string[] = []
  const notes: string[] = []
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
    note(text) {
      notes.push(`- ${text}`)
      say(`  ${text}`)
    },
    skipped(what, why) {
      skips.push(`- ${what}: ${why}`)
      say(`skipped: ${what}: ${why}`)
    },
    text: (heading) => `${heading}

## Beside the goals

| what | goal | figure | |
|---|---|---|---|
${goals.map((goal) => `| ${goal.what} | ${goal.goal} | ${goal.figure} | ${verdict(goal)} |`).join('\n')}

## Raw figures

The median, and each round.

| what | median | rounds |
|---|---|---|
${raws.join('\n')}
${section('How it was measured', notes)}${section('Skipped', skips)}`,
  }
}

function verdict({ isReached }: Goal): string {
  if (isReached === null) return 'not measured'
  return isReached ? 'reached' : '**not reached**'
}

function section(title: string, lines: string[]): string {
  return lines.length > 0 ? `\n## ${title}\n\n${lines.join('\n')}\n` : ''
}
