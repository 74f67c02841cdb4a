/** Shown for an empty list: a drawing, a title and a hint what to do. */
export function TeamEmpty({ title, hint }: { title: string; hint: string }) {
  return (
    <div className="team-empty flex flex-col items-center pt-10 pb-4 text-center text-balance short:pt-6">
      <svg viewBox="0 0 168 56" width={168} height={56} fill="none" strokeWidth={8} aria-hidden="true">
        <circle cx={28} cy={28} r={22} className="stroke-line" />
        <circle cx={84} cy={28} r={22} className="stroke-edge" />
        <circle cx={140} cy={28} r={22} className="stroke-line" />
      </svg>
      <p className="mt-6 text-name wrap-anywhere">{title}</p>
      <p className="mt-1 text-body text-soft">{hint}</p>
    </div>
  )
}
