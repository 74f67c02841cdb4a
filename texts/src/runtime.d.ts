export function setLanguage(tag: string): void
export function getLocale(): string
