import * as texts from '@deeb/texts/common'

/** Shown until it is known which screen to show. */
export function Loading() {
  return (
    <p role="status" className="skeleton column grid min-h-dvh place-items-center text-body text-soft">
      {texts.loading()}
    </p>
  )
}
