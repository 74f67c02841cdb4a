import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react'
import { ChevronDown, ChevronUp } from './icons.tsx'

type DisclosureProps = {
  label: ReactNode
  /** The text at the end of the row, bold while it is open. */
  value: string
  open: boolean
  onToggle: () => void
  children: ReactNode
}

/** A list item that expands to show its content. The caller controls `open`. */
export function Disclosure({ label, value, open, onToggle, children }: DisclosureProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const item = useRef<HTMLLIElement>(null)
  useRestoredFocus(button, open)
  useShown(item, open)
  const Chevron = open ? ChevronUp : ChevronDown
  return (
    <li
      ref={item}
      className="scroll-mb-[calc(var(--bar-height)+8.25rem)] low:scroll-mb-(--bar-height) border-line not-first:border-t"
    >
      <button
        ref={button}
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={onToggle}
        className="flex min-h-14 w-full items-center gap-3 rounded-bar py-1 text-start"
      >
        {/* With large text the value is below the label, so that no word is cut. */}
        <span className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-3">
          <span className="text-name wrap-anywhere">{label}</span>
          <span className={`ms-auto text-end text-body ${open ? 'font-600' : 'text-soft'}`}>{value}</span>
        </span>
        <Chevron size={20} strokeWidth={1.75} className="flex-none text-soft" />
      </button>
      <div id={id} hidden={!open} className="pb-4">
        {open ? children : null}
      </div>
    </li>
  )
}

/** Moves the focus to the row when the element that had it is removed with the content. */
function useRestoredFocus(button: RefObject<HTMLButtonElement | null>, open: boolean): void {
  const wasOpen = useRef(open)
  useEffect(() => {
    if (wasOpen.current && !open && document.activeElement === document.body) button.current?.focus()
    wasOpen.current = open
  }, [button, open])
}

/** Scrolls the row into view when it opens, above a sticky button below the list. */
function useShown(item: RefObject<HTMLLIElement | null>, open: boolean): void {
  const wasOpen = useRef(open)
  useEffect(() => {
    if (open && !wasOpen.current) item.current?.scrollIntoView({ block: 'nearest' })
    wasOpen.current = open
  }, [item, open])
}
