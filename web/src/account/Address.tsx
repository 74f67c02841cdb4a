import { BreakableEmail } from '../ui/PersonRow.tsx'

/** An email address within a sentence. */
export default function Address({ children }: { children: string }) {
  return (
    <strong className="font-500 text-ink">
      <BreakableEmail email={children} />
    </strong>
  )
}
