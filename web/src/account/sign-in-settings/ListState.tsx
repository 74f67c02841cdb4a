import { Skeleton } from '../../ui/Skeleton.tsx'
import { TextButton } from '../../ui/TextLink.tsx'

interface ListStateProps {
  read: { data: unknown; isError: boolean; isPending: boolean; refetch: () => unknown }
}

/** What is shown instead of a list that is being loaded, or could not be loaded. Nothing once it is there. */
export function ListState({ read }: ListStateProps) {
  if (read.data !== undefined) return null
  if (read.isError) {
    return (
      <div role="alert">
        <p className="mt-2 text-body text-soft">This could not be loaded. Check your connection and try again.</p>
        <TextButton onClick={() => void read.refetch()}>Try again</TextButton>
      </div>
    )
  }
  return (
    <div aria-busy="true">
      <span className="sr-only" role="status">
        Loading...
      </span>
      <Skeleton shape="line" className="mt-3 h-10" />
    </div>
  )
}
