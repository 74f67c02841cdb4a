/**
 * Why a form or a button failed: the text of its toast, which stays when the toast has disappeared. Between the fields and the button of
 * a form, one line takes no extra room. Not a live region: the toast is announced.
 */
export function FormError({ children }: { children: string | undefined }) {
  if (children === undefined) return null
  return (
    <p className="my-2 text-label text-pretty wrap-anywhere text-destructive [.gap-4>&]:-mt-3.5 [.gap-4>&]:-mb-4.5 [.gap-4>&]:leading-4">
      {children}
    </p>
  )
}
