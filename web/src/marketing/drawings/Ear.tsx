const OUTLINE =
  'M60 318V260A240 240 0 0 1 540 260C540 345 498 402 460 448C422 494 404 526 404 580A158 158 0 0 1 246 738A186 186 0 0 1 60 552Z'
const GROOVE = 'M164 312V260A136 136 0 0 1 436 260C436 322 408 362 376 404'

/**
 * The ear of the public pages, with its plug or with a hole of the same size. Drawn in `--ink` on `--ground`; the caller sets
 * the size.
 */
export function Ear({ plug, className }: { plug: 'in' | 'out'; className: string }) {
  return (
    <svg viewBox="59 19 482 720" className={className} aria-hidden="true">
      <path d={OUTLINE} className="ear-outline" />
      <path d={GROOVE} fill="none" strokeWidth="32" strokeLinecap="round" className="stroke-ground" />
      <circle cx="236" cy="436" r="112" className={plug === 'in' ? 'ear-plug' : 'fill-ground'} />
    </svg>
  )
}
