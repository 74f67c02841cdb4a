/** The key of the query for whom the user waits. Without the endpoint: the first screen needs the key only. */
export const ALERTS_KEY = ['alerts']
