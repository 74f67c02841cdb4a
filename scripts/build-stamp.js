/** An empty file that a build removes first and writes last: an interrupted build is noticed at the next start. */
export const BUILD_STAMP = 'server/dist/.built'
