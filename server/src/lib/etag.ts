import { createHash } from 'node:crypto'

/** A strong ETag, from the bytes as they are sent. */
export function etagOf(bytes: Buffer | string): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
}

/** Whether an `If-None-Match` header has this ETag. Compares weakly: a proxy may have compressed the response. */
export function hasEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return known?.some((tag) => tag === etag || tag === '*') ?? false
}
