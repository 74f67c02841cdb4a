const MAX_SHOWN = 99

/** A count for a badge: `99+` above 99. */
export function countText(count: number): string {
  return count > MAX_SHOWN ? `${MAX_SHOWN}+` : `${count}`
}
