/**
 * The logo on a grid of 431 by 150. With `plugs="in"` a green disc fills the bowls of d and b, one after the other, without
 * animation on the first paint. Hidden from screen readers; the caller sets the size (`h-6.5`) and a label.
 */
export function Logo({ plugs, className }: { plugs: 'in' | 'out'; className?: string }) {
  return (
    <svg viewBox="0 0 431 150" className={className} fill="currentColor" aria-hidden="true">
      <path d={D} />
      <path d={E} />
      <path d={E} transform="translate(107 0)" />
      <path d={B} />
      <Plug cx={50} at={plugs} delay="" />
      <Plug cx={381} at={plugs} delay="delay-80" />
    </svg>
  )
}

/* One filled outline per letter: overlapping strokes would draw antialiased pixels twice. */
const D = 'M0 100A50 50 0 0 1 80 60V0H100V150H80V140A50 50 0 0 1 0 100ZM20 100A30 30 0 0 0 80 100A30 30 0 0 0 20 100Z'
const B =
  'M431 100A50 50 0 0 0 351 60V0H331V150H351V140A50 50 0 0 0 431 100ZM411 100A30 30 0 0 1 351 100A30 30 0 0 1 411 100Z'
/* A ring from 0 degrees over the top to (192, 126.5), and a crossbar 18 high that ends on the ring's outer circle. */
const E = 'M211.18 109A50 50 0 1 0 199.48 133.1L184.49 119.86A30 30 0 0 1 133.38 109ZM133.38 91A30 30 0 0 1 190.62 91Z'

function Plug({ cx, at, delay }: { cx: number; at: 'in' | 'out'; delay: string }) {
  return (
    <circle
      cx={cx}
      cy={100}
      r={31}
      className={`fill-green origin-center [transform-box:fill-box] transition-[scale] duration-200 ease-out ${delay} ${
        at === 'in' ? 'scale-100' : 'scale-0'
      }`}
    />
  )
}
