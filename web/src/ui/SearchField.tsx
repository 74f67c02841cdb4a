import { Search } from './icons.tsx'

type SearchFieldProps = { label: string; value: string; onChange: (value: string) => void }

/** A search field. Its label is also the placeholder. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  return (
    <div className="relative">
      <Search
        strokeWidth={1.75}
        className="pointer-events-none absolute inset-y-0 start-[17px] my-auto size-[min(1.25rem,28px)] text-soft"
      />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        maxLength={100}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="search"
        className="w-full rounded-full border border-edge bg-surface pe-[16px] pb-0.5 ps-[calc(min(1.25rem,28px)+27px)] text-ellipsis text-body text-ink placeholder:text-[min(1rem,24px)] placeholder:text-soft placeholder:opacity-100 focus:outline-2 focus:-outline-offset-2 focus:outline-ink"
      />
    </div>
  )
}
