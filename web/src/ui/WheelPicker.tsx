import './wheel.css'
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
  /** A value between two rows, or outside, is shown as the nearest row. It is not reported until the wheel moves. */
  value: number
  /** `min`, `max` and `step` must not change while the wheel is mounted. */
  min: number
  max: number
  step?: number
  /** Called with every row that the wheel passes or reaches; never twice in a row with the same value. */
  onChange: (value: number) => void
}

/** Rows of a Page key. */
const PAGE = 5
/** After such a pause, digits and turns of the mouse wheel start again. */
const TYPING_MS = 1000
const TURNING_MS = 200
/** Where browsers do not report the end of a scroll, it is assumed after this time without one. */
const SCROLL_PAUSE_MS = 150

/**
 * A wheel to choose a number: by touch, mouse wheel, drag, click on a neighbour, arrow and Page keys, and digits. A listbox, so
 * ArrowDown chooses the number below, which is larger. In a spinbutton it would have to be the smaller one, above.
 *
 * Touch scrolls natively. Only a scroll by touch changes the value; other scrolls, by layout or by script, follow it.
 */
export function WheelPicker({ label, value, min, max, step = 1, onChange }: WheelPickerProps) {
  const id = useId()
  const numbers = Array.from({ length: Math.floor((max - min) / step) + 1 }, (_, row) => min + row * step)
  const chosen = nearestRow(numbers, value)
  const wheel = useWheel(numbers, value, onChange)
  return (
    <div className="wheel">
      <div id={id} className="wheel-label">
        {label}
      </div>
      <div className="wheel-frame">
        <div
          {...wheel}
          role="listbox"
          tabIndex={0}
          aria-labelledby={id}
          aria-activedescendant={`${id}-${chosen}`}
          className="wheel-rows"
        >
          {numbers.map((number, row) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the list keeps the focus, and names its active option.
            <div
              key={number}
              id={`${id}-${row}`}
              role="option"
              aria-selected={row === chosen}
              data-row={row}
              data-chosen={row === chosen || undefined}
              className="wheel-row"
            >
              {number}
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}

function useWheel(numbers: readonly number[], value: number, onChange: (value: number) => void) {
  const ref = useRef<HTMLDivElement>(null)
  /** The last received or reported value: ahead of `value` until the parent renders again. */
  const known = useRef(value)
  /** Whether a touch has moved the rows since they were last set: then a scroll, also by momentum, is user input. */
  const touched = useRef(false)
  const drag = useRef<{ y: number; row: number; moved: boolean } | null>(null)
  const typed = useRef({ text: '', at: 0 })

  const report = (row: number) => {
    const number = numbers[row]
    if (number === undefined || number === known.current) return
    known.current = number
    onChange(number)
  }
  /** Scrolls to a row, by default as the style sheet says: smoothly, except with reduced motion. */
  const scrollToRow = (row: number, behavior?: ScrollBehavior) => {
    touched.current = false
    ref.current?.scrollTo({ top: row * rowHeight(ref.current), behavior: behavior ?? 'auto' })
  }
  const currentRow = () => nearestRow(numbers, known.current)
  const turnTo = (wanted: number) => {
    const row = Math.min(numbers.length - 1, Math.max(0, wanted))
    scrollToRow(row)
    report(row)
  }

  const backToValue = (behavior?: ScrollBehavior) => {
    known.current = value
    scrollToRow(currentRow(), behavior)
  }
  const follow = useEffectEvent(() => {
    if (value !== known.current) backToValue()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the value changes.
  useLayoutEffect(() => follow(), [value])
  useResize(ref, () => backToValue('instant'))
  useTurns(ref, (rows) => turnTo(currentRow() + rows))
  useScrollEnd(ref, () => {
    // Something else has moved the rows, or the parent rejected the value: scroll back to it.
    if (ref.current && (rowInView(ref.current) !== currentRow() || value !== known.current)) backToValue()
  })

  const touch = () => {
    touched.current = true
  }
  return {
    ref,
    onTouchMove: touch,
    // A pen sends no touch events, but a pointercancel when the browser starts to scroll.
    onPointerCancel: touch,
    onScroll: (event: UIEvent<HTMLDivElement>) => {
      const row = rowInView(event.currentTarget)
      if (touched.current && row !== currentRow()) report(row)
    },
    onPointerDown: (event: PointerEvent) => {
      const grips = event.pointerType === 'mouse' && event.button === 0
      drag.current = grips ? { y: event.clientY, row: currentRow(), moved: false } : null
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
      // Some browsers end a drag with a click on the row where it began.
      if (row !== undefined && !drag.current?.moved) turnTo(Number(row))
      drag.current = null
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return
      const row = rowOfKey(event, currentRow(), numbers.length) ?? rowOfDigits(event, typed.current, numbers)
      // The space key would scroll by a page.
      if (row !== null || event.key === ' ') event.preventDefault()
      if (row !== null) turnTo(row)
    },
  }
}

/** Calls back when the size of the element changes, also when it becomes visible: its scroll position is lost then. */
function useResize(ref: RefObject<HTMLElement | null>, onResize: () => void): void {
  const resized = useEffectEvent(onResize)
  useEffect(() => {
    if (!ref.current) return
    const observer = new ResizeObserver(() => resized())
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [ref])
}

/** Calls back when a scroll has ended: after a pause in browsers without `scrollend`, such as Safari 26.0. */
function useScrollEnd(ref: RefObject<HTMLElement | null>, onScrollEnd: () => void): void {
  const ended = useEffectEvent(onScrollEnd)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const listen = () => ended()
    if ('onscrollend' in window) {
      element.addEventListener('scrollend', listen)
      return () => element.removeEventListener('scrollend', listen)
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(listen, SCROLL_PAUSE_MS)
    }
    element.addEventListener('scroll', wait)
    return () => {
      clearTimeout(timer)
      element.removeEventListener('scroll', wait)
    }
  }, [ref])
}

/**
 * Calls back with 1 or -1 when the mouse wheel turns over the element. One notch is one row; small steps of a touch pad add up.
 * The page does not scroll: React's listeners are passive and could not prevent it.
 */
function useTurns(ref: RefObject<HTMLElement | null>, onTurn: (rows: 1 | -1) => void): void {
  const turn = useEffectEvent(onTurn)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const turned = { pixels: 0, at: 0 }
    const listen = (event: WheelEvent) => {
      const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY)
      // Not cancelable: the page is being scrolled while the mouse passes over the element.
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

function rowOfKey({ key }: KeyboardEvent, currentRow: number, count: number): number | null {
  const rows: Record<string, number> = {
    ArrowUp: currentRow - 1,
    ArrowDown: currentRow + 1,
    PageUp: currentRow - PAGE,
    PageDown: currentRow + PAGE,
    Home: 0,
    End: count - 1,
  }
  return rows[key] ?? null
}

/** The row that equals the typed digits, else the first that begins with them: `3` finds 30 among 0, 5, 10 and so on. */
function rowOfDigits(
  { key, timeStamp }: KeyboardEvent,
  typed: { text: string; at: number },
  numbers: readonly number[],
): number | null {
  if (!/^\d$/.test(key)) return null
  const find = (text: string) => {
    const exact = numbers.findIndex((number) => String(number) === text)
    return exact >= 0 ? exact : numbers.findIndex((number) => String(number).startsWith(text))
  }
  const longer = timeStamp - typed.at < TYPING_MS ? typed.text + key : key
  typed.text = find(longer) >= 0 ? longer : key
  typed.at = timeStamp
  const row = find(typed.text)
  return row >= 0 ? row : null
}

function nearestRow(numbers: readonly number[], value: number): number {
  const distances = numbers.map((number) => Math.abs(number - value))
  return distances.indexOf(Math.min(...distances))
}

/** The row in the middle. Outside the wheel's rows while it overscrolls. */
function rowInView(rows: Element): number {
  return Math.round(rows.scrollTop / rowHeight(rows))
}

/** In fractions of a pixel: rows scale with the text size. */
function rowHeight(rows: Element): number {
  return rows.firstElementChild?.getBoundingClientRect().height ?? 0
}
