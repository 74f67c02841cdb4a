/*
 * What the page of a sign shares with the server. Without schemas, so that the page is small, and in no module of the app: each would be
 * one more file of the first visit.
 */

/** The page of a door sign. The secret of its link is in the fragment, which no server receives or logs: `/sign#<secret>`. */
export const SIGN_PATH = '/sign'
/** The stream of a sign: server-sent events, the data of each a batch of SignEvents. The bearer is the secret of the link. */
export const SIGN_LIVE_PATH = '/api/sign/live'

/** The server confirms the state of an open stream this often. */
export const CONFIRMED_EVERY_SECONDS = 15
/** A sign that has received nothing for this long shows no state any more. */
export const STALE_AFTER_SECONDS = 60
