/** The case of the plugs, seen from above, with its code; a tap on it begins the ring. In the circles of the ear and of the people. */
export function Case() {
  return (
    <svg viewBox="0 0 640 240" aria-hidden="true">
      <rect x="9" y="29" width="330" height="182" rx="91" fill="none" strokeWidth="18" className="stroke-ink" />
      <circle cx="100" cy="120" r="37" className="plug" />
      <circle cx="248" cy="120" r="37" className="plug" />
      <path d="M154 100h16v16h-16zM178 100h16v16h-16zM154 124h16v16h-16zM186 132h8v8h-8z" className="fill-ink" />
      <path
        d="M376 76a62 62 0 0 1 0 88M408 44a107 107 0 0 1 0 152"
        fill="none"
        strokeWidth="12"
        strokeLinecap="round"
        className="stroke-ink"
      />
      <circle cx="556" cy="120" r="80" className="fill-ink" />
      <circle cx="556" cy="120" r="37" className="plug" />
    </svg>
  )
}
