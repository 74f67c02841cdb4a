// Loaded into a test server before its own code (`node --import`): the process's clock is AHEAD_MS
// ahead, and moves on when its parent says so.
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

process.on('message', (message) => {
  aheadMs += message.travelMs
  process.send({ arrived: true })
})
process.channel.unref()
