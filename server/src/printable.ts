/** `text` without control characters, which a terminal would obey. Tabs and line ends stay. */
export function printable(text: string): string {
  return text.replaceAll(/(?![\t\n])\p{Cc}/gu, '')
}
