/** The first characters of a formula in a spreadsheet. */
const FORMULA = /^[=+\-@]/

/**
 * A line of a table: cells separated by tabs. Prevents formula injection: a cell that a spreadsheet would run as a formula gets a
 * `'` in front, because visitors choose the text.
 */
export function tableLine(...cells: (string | Date)[]): string {
  const texts = cells.map((cell) => (cell instanceof Date ? cell.toISOString() : cell))
  return texts.map((text) => (FORMULA.test(text) ? `'${text}` : text)).join('\t')
}
