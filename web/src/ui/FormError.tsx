/**
 * Why a form or a button failed, where its toast has disappeared. An empty text reserves its line, so that nothing moves when the toast
 * does. Not a live region: the toast was announced.
 */
export function FormError({ children }: { children: string | undefined }) {
  if (children === undefined) return null
  return <p className="my-2 min-h-4.5 text-label text-pretty wrap-anywhere text-destructive">{children}</p>
}
