import { fileURLToPath } from 'node:url'

/** The folder of this package. The path is the same from src/ and from the bundle in dist/. */
export const BENCH_FOLDER = fileURLToPath(new URL('../../bench/', import.meta.url))
