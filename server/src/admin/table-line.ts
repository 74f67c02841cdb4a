/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA = /^[=+\-@]/

/**
 * A line of a table: cells with tabs between them. A cell that a spreadsheet would run as a formula gets a `'` in front,
 * because visitors choose the text.
 */
export function tableLine(...cells: (string | Date)[]): string {
  const texts = cells.map((cell) => (cell instanceof Date ? cell.toISOString() : cell))
  return texts.map((text) => (FORMULA.test(text) ? `'${text}` : text)).join('\t')
}
