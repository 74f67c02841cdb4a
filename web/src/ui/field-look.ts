/** The classes of every field. The focus is an outline over the border, so that nothing moves. */
export const fieldLook =
  'rounded-card border border-edge bg-surface text-ink placeholder:text-soft placeholder:opacity-100 ' +
  'aria-invalid:border-destructive focus:outline-2 focus:-outline-offset-2 focus:outline-ink'
