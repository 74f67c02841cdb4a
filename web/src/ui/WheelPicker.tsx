import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  type UIEvent,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
} from 'react'

type WheelPickerProps = {
  label: string
  /** May lie between two rows or outside: then the wheel stands at the nearest, and nothing is reported before it moves. */
  value: number
  /** `min`, `max` and `step` are fixed for the life of a wheel. */
  min: number
  max: number
  step?: number
  /** Gets the row the person moves to, also while it only passes by; never the same value twice in a row. */
  onChange: (value: number) => void
}

/** Rows to a Page key. */
const PAGE = 5
/** Digits and turns of the mouse wheel further apart than this begin anew. */
const TYPING_MS = 1000
const TURNING_MS = 200

/**
 * A figure to choose by turning: touch, mouse wheel, drag, a click on a neighbour, arrow and Page keys, digits. A
 * spinbutton, so the arrow up means more, although the larger figure stands below.
 *
 * Touch scrolls natively, and only what a touch scrolls counts: every other scrolling, by layout, by the browser or by
 * this file, follows the value and never changes it.
 */
export function WheelPicker({ label, value, min, max, step = 1, onChange }: WheelPickerProps) {
  const id = useId()
  const figures = Array.from({ length: Math.floor((max - min) / step) + 1 }, (_, row) => min + row * step)
  const chosen = nearestRow(figures, value)
  const wheel = useWheel(figures, value, onChange)
  return (
    <div className="wheel">
      <div id={id} className="wheel-label">
        {label}
      </div>
      <div className="wheel-frame">
        <div
          {...wheel}
          role="spinbutton"
          tabIndex={0}
          aria-labelledby={id}
          aria-valuemin={min}
          aria-valuemax={max}
          aria-valuenow={figures[chosen]}
          aria-valuetext={String(figures[chosen])}
          className="wheel-rows"
        >
          {figures.map((figure, row) => (
            <div key={figure} data-row={row} data-chosen={row === chosen || undefined} className="wheel-row">
              {figure}
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}

function useWheel(figures: readonly number[], value: number, onChange: (value: number) => void) {
  const ref = useRef<HTMLDivElement>(null)
  /** The value that was given or reported last: ahead of `value` until the parent has drawn again. */
  const known = useRef(value)
  /** A touch has moved the rows since they were last set: what scrolls now is the person, or what they set in motion. */
  const touched = useRef(false)
  const drag = useRef<{ y: number; row: number; moved: boolean } | null>(null)
  const typed = useRef({ text: '', at: 0 })

  const report = (row: number) => {
    const figure = figures[row]
    if (figure === undefined || figure === known.current) return
    known.current = figure
    onChange(figure)
  }
  /** Moves as the style sheet has it, which is smoothly, except where stillness is preferred. */
  const standAt = (row: number, behavior?: ScrollBehavior) => {
    touched.current = false
    ref.current?.scrollTo({ top: row * rowHeight(ref.current), behavior: behavior ?? 'auto' })
  }
  const here = () => nearestRow(figures, known.current)
  const turnTo = (wanted: number) => {
    const row = Math.min(figures.length - 1, Math.max(0, wanted))
    standAt(row)
    report(row)
  }

  const backToValue = (behavior?: ScrollBehavior) => {
    known.current = value
    standAt(here(), behavior)
  }
  const follow = useEffectEvent(() => {
    if (value !== known.current) backToValue()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change of the value that is followed.
  useLayoutEffect(() => follow(), [value])
  useResize(ref, () => backToValue('instant'))
  useTurns(ref, (rows) => turnTo(here() + rows))

  const touch = () => {
    touched.current = true
  }
  return {
    ref,
    onTouchMove: touch,
    // What a pen says, that sends no touches, when the browser takes it over to scroll.
    onPointerCancel: touch,
    onScroll: (event: UIEvent<HTMLDivElement>) => {
      const row = rowInView(event.currentTarget)
      if (touched.current && row !== here()) report(row)
    },
    // Something else has moved the rows, or the parent did not take the value: back to it.
    onScrollEnd: (event: UIEvent<HTMLDivElement>) => {
      if (rowInView(event.currentTarget) !== here() || value !== known.current) backToValue()
    },
    onPointerDown: (event: PointerEvent) => {
      const grips = event.pointerType === 'mouse' && event.button === 0
      drag.current = grips ? { y: event.clientY, row: here(), moved: false } : null
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
      if (!drag.current || event.buttons !== 1) return
      const rows = Math.round((drag.current.y - event.clientY) / rowHeight(event.currentTarget))
      if (rows === 0 && !drag.current.moved) return
      drag.current.moved = true
      event.currentTarget.setPointerCapture(event.pointerId)
      turnTo(drag.current.row + rows)
    },
    onClick: (event: MouseEvent<HTMLDivElement>) => {
      const row = event.target instanceof HTMLElement ? event.target.dataset.row : undefined
      // Some browsers end a drag with a click on the row it began at.
      if (row !== undefined && !drag.current?.moved) turnTo(Number(row))
      drag.current = null
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return
      const row = rowOfKey(event, here(), figures.length) ?? rowOfDigits(event, typed.current, figures)
      // A space would scroll by a page.
      if (row !== null || event.key === ' ') event.preventDefault()
      if (row !== null) turnTo(row)
    },
  }
}

/** Calls back when the element gets its first size or another one, also out of being hidden: its scrolling is lost then. */
function useResize(ref: RefObject<HTMLElement | null>, onResize: () => void): void {
  const resized = useEffectEvent(onResize)
  useEffect(() => {
    if (!ref.current) return
    const observer = new ResizeObserver(() => resized())
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [ref])
}

/**
 * Calls back with 1 or -1 as the mouse wheel turns over the element. A notch is a row, however far it would scroll;
 * the small steps of a touch pad add up to rows. The page stands still: React's own listener could not say so.
 */
function useTurns(ref: RefObject<HTMLElement | null>, onTurn: (rows: 1 | -1) => void): void {
  const turn = useEffectEvent(onTurn)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const turned = { pixels: 0, at: 0 }
    const listen = (event: WheelEvent) => {
      const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY)
      // Not cancelable: the page is being scrolled, and the wheel only came under the mouse.
      if (event.ctrlKey || sideways || !event.cancelable) return
      event.preventDefault()
      const row = rowHeight(element)
      if (event.timeStamp - turned.at > TURNING_MS || turned.pixels * event.deltaY < 0) turned.pixels = 0
      turned.at = event.timeStamp
      turned.pixels += event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : Math.sign(event.deltaY) * row
      if (Math.abs(turned.pixels) < row) return
      turned.pixels = 0
      turn(event.deltaY > 0 ? 1 : -1)
    }
    element.addEventListener('wheel', listen, { passive: false })
    return () => element.removeEventListener('wheel', listen)
  }, [ref])
}

function rowOfKey({ key }: KeyboardEvent, here: number, count: number): number | null {
  const rows: Record<string, number> = {
    ArrowUp: here + 1,
    ArrowDown: here - 1,
    PageUp: here + PAGE,
    PageDown: here - PAGE,
    Home: 0,
    End: count - 1,
  }
  return rows[key] ?? null
}

/** The row that reads what has been typed, else the first that begins with it: `3` finds 30 among 0, 5, 10 and so on. */
function rowOfDigits(
  { key, timeStamp }: KeyboardEvent,
  typed: { text: string; at: number },
  figures: readonly number[],
): number | null {
  if (!/^\d$/.test(key)) return null
  const find = (text: string) => {
    const exact = figures.findIndex((figure) => String(figure) === text)
    return exact >= 0 ? exact : figures.findIndex((figure) => String(figure).startsWith(text))
  }
  const longer = timeStamp - typed.at < TYPING_MS ? typed.text + key : key
  typed.text = find(longer) >= 0 ? longer : key
  typed.at = timeStamp
  const row = find(typed.text)
  return row >= 0 ? row : null
}

function nearestRow(figures: readonly number[], value: number): number {
  const distances = figures.map((figure) => Math.abs(figure - value))
  return distances.indexOf(Math.min(...distances))
}

/** Of rows that bounce at an end, it may be none of the wheel's. */
function rowInView(rows: Element): number {
  return Math.round(rows.scrollTop / rowHeight(rows))
}

/** With its fractions: rows grow with the size of text. */
function rowHeight(rows: Element): number {
  return rows.firstElementChild?.getBoundingClientRect().height ?? 0
}
