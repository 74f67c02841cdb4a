import './qr-code.css'
import { generate } from 'lean-qr/nano'

/** The quiet zone that scanners need, in modules. */
const QUIET = 4

/** A QR code, black on white in every look: some scanners do not read it inverted. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const code = generate(text)
  const size = code.size + 2 * QUIET
  const modules = Array.from({ length: code.size ** 2 }, (_, n) => [n % code.size, Math.floor(n / code.size)] as const)
  const path = modules.filter(([x, y]) => code.get(x, y)).map(([x, y]) => `M${x + QUIET} ${y + QUIET}h1v1h-1z`)
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges" className="qr-code">
      <path d={`M0 0h${size}v${size}h-${size}z`} fill="#fff" />
      <path d={path.join('')} fill="#000" />
    </svg>
  )
}
