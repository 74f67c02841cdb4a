/** Limits of the target of an open session: how long it is meant to be, from its start. */
export const MIN_TARGET_MINUTES = 5
export const MAX_TARGET_MINUTES = 480
