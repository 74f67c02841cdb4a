import { fileURLToPath } from 'node:url'

/** The folder of this package, with its migrations and lists. The path is the same from src/ and from the folder of any bundle. */
export const SERVER_FOLDER = fileURLToPath(new URL('../../server/', import.meta.url))

/** The built web. */
export const WEB_FOLDER = fileURLToPath(new URL('../../web/dist/', import.meta.url))
