/** Whether Team with this query string is the wall for a screen in a room. */
export function isWallDisplay(search: string): boolean {
  return new URLSearchParams(search).has('wall')
}
