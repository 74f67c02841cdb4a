// The table of docs/scale.md: what a number of people costs, from measured figures and one assumed day.

/** docs/scale.md has the command that printed each. */
const MEASURED = {
  switchServerMicros: 138,
  switchDatabaseMicros: 206,
  deliveryMicros: 30,
  homeDatabaseMicros: 55.5,
  streamKilobytes: 16,
  notifyMicros: 19,
  sessionBytes: 640,
}

/** A working day: everybody in one time zone, a fifth of all in the peak hour. */
const DAY = { switches: 6, reads: 20, peakShare: 0.2, streams: 0.6, watchers: 10, workdays: 250 }
const STREAMS_PER_SERVER = 10_000
/** A server sends at most one batch of events every 25 ms. */
const BATCHES_PER_SERVER = 40
const CONNECTIONS_PER_SERVER = 17
const PEOPLE = [1_000_000, 10_000_000, 100_000_000]

function costOf(people) {
  const perSecond = (perDay) => (people * perDay * DAY.peakShare) / 3600
  const switches = perSecond(DAY.switches)
  const servers = Math.ceil((people * DAY.streams) / STREAMS_PER_SERVER)
  const events = Math.min(switches, servers * BATCHES_PER_SERVER)
  const cores = (perSecond, micros) => (perSecond * micros) / 1e6
  return {
    'switches a second in the peak hour': number(switches),
    'PostgreSQL, cores for switches and for reads': `${decimals(cores(switches, MEASURED.switchDatabaseMicros))} + ${decimals(cores(perSecond(DAY.reads), MEASURED.homeDatabaseMicros))}`,
    'servers, cores for switches and for deliveries': `${decimals(cores(switches, MEASURED.switchServerMicros))} + ${decimals(cores(switches * DAY.watchers, MEASURED.deliveryMicros))}`,
    'servers, by their streams': number(servers),
    'memory of the streams, GB': number((people * DAY.streams * MEASURED.streamKilobytes) / 1e6),
    'events to servers a second, by NOTIFY': number(events * servers),
    'PostgreSQL, cores for NOTIFY': decimals(cores(events * servers, MEASURED.notifyMicros)),
    'events to servers a second, by a broker': `at most ${number(switches * DAY.watchers)}`,
    'connections to PostgreSQL': number(servers * CONNECTIONS_PER_SERVER),
    'focus sessions of a year, TB': decimals(
      (people * (DAY.switches / 2) * DAY.workdays * MEASURED.sessionBytes) / 1e12,
    ),
    'cells of a million people': number(people / 1_000_000),
  }
}

export function scaleAsMarkdown() {
  const costs = PEOPLE.map(costOf)
  const rows = Object.keys(costs[0]).map((what) => `| ${what} | ${costs.map((cost) => cost[what]).join(' | ')} |`)
  return ['| people | 1 million | 10 million | 100 million |', '|---|---|---|---|', ...rows].join('\n')
}

const number = (value) => Math.round(value).toLocaleString('en')
const decimals = (value) => (value < 10 ? value.toFixed(2) : number(value))
