export type LocalizedString = string
export type Locale = string
/** Paraglide's note on what a text contains. */
export type MessageMetadata<_Inputs, _Options, _Markup> = unknown
export const experimentalStaticLocale: undefined
export function setLanguage(tag: string): void
export function getLocale(): string
