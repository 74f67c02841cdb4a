// Loaded into a test server before its own code (`node --import`). The clock of the process is AHEAD_MS ahead, and the parent can
// move it. Requests wait while the parent moves other clocks.
import { Server } from 'node:http'

const RealDate = Date
let aheadMs = Number(process.env.AHEAD_MS ?? 0)

globalThis.Date = class TravellingDate extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + aheadMs)
    else super(...args)
  }

  static now() {
    return RealDate.now() + aheadMs
  }
}

/** Requests that wait for the clock; null if requests are handled normally. */
let waiting = null
const { emit } = Server.prototype

Server.prototype.emit = function (event, ...values) {
  if (event !== 'request' || !waiting) return emit.call(this, event, ...values)
  waiting.push(() => emit.call(this, event, ...values))
  return true
}

const orders = {
  wait: () => {
    waiting = []
  },
  travel: (ms) => {
    aheadMs += ms
    const late = waiting ?? []
    waiting = null
    for (const handle of late) handle()
  },
}

process.on('message', ({ order, ms }) => {
  orders[order](ms)
  process.send({ done: order })
})
process.channel.unref()
