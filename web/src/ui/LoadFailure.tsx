import * as texts from '@deeb/texts/common'
import { ScreenHeading } from './ScreenHeading.tsx'
import { TextButton } from './TextLink.tsx'

type LoadFailureProps = { title: string; description?: string | undefined; onRetry: () => void }

/** Shown in place of a screen that could not be loaded, with a button to retry. With large text it is below the toasts. */
export function LoadFailure({ title, description = texts.nothingLost(), onRetry }: LoadFailureProps) {
  return (
    <main className="toasts-below-header columns flex flex-1 flex-col items-start justify-center pb-6 [@media(max-height:30rem)_and_(max-width:559px)]:justify-end">
      <ScreenHeading className="text-title text-balance">{title}</ScreenHeading>
      <p role="alert" className="mt-2 text-body text-soft text-balance">
        {description}
      </p>
      <TextButton onClick={onRetry}>{texts.tryAgain()}</TextButton>
    </main>
  )
}
