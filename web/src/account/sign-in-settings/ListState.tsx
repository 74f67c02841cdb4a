import * as texts from '@deeb/texts/common'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { TextButton } from '../../ui/TextLink.tsx'

interface ListStateProps {
  read: { data: unknown; isError: boolean; isPending: boolean; refetch: () => unknown }
  /** False where the screen has a button that reads everything again. */
  hasButton?: boolean
}

/** Shows the state of a list that is being loaded, or could not be loaded. Nothing once it is there. */
export function ListState({ read, hasButton = true }: ListStateProps) {
  if (read.data !== undefined) return null
  if (read.isError) {
    return (
      <div role="alert">
        <p className="mt-2 text-body text-soft">{texts.loadFailed()}</p>
        {hasButton ? <TextButton onClick={() => void read.refetch()}>{texts.tryAgain()}</TextButton> : null}
      </div>
    )
  }
  return (
    <div aria-busy="true">
      <span className="sr-only" role="status">
        {texts.loading()}
      </span>
      <Skeleton shape="line" className="mt-3 h-10" />
    </div>
  )
}
