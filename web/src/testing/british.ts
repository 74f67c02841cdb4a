/*
 * Import it first: times have 24 hours, and days are before months. The module of the language reads it when it is loaded.
 */
Object.defineProperty(navigator, 'languages', { value: ['en-GB'], configurable: true })

export {}
