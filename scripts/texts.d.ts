/** The languages, English first. */
export const languages: string[]
export function compileTexts(): void
/** The texts for one build that becomes a build of each language. */
export function markedTexts(): {
  /** The source of each room, with a global variable in place of each text. */
  modules: Record<string, string>
  /** The sources of these variables in a language. */
  valuesOf(locale: string): Record<string, string>
}
