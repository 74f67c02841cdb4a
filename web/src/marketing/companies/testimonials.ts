import * as texts from '@deeb/texts/site'

/** Examples of quotes, by role only: nobody said this. */
export const TESTIMONIALS = [
  {
    quote: texts.minuteQuote,
    role: texts.minuteQuoteRole,
  },
  {
    quote: texts.roomsQuote,
    role: texts.roomsQuoteRole,
  },
]
