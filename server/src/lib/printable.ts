/** Removes control characters, which a terminal would execute. Keeps tabs and line ends. */
export function printable(text: string): string {
  return text.replaceAll(/(?![\t\n])\p{Cc}/gu, '')
}
