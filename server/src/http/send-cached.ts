import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, hasEtag } from '../lib/etag.ts'

/** Browsers send fewer. Parsing a header of 15 kB would take a millisecond. */
const ACCEPT_ENCODING_CHARACTERS = 256
/** The highest quality, which a release has, takes 40 times as long for 6 % less. */
const QUALITY = { params: { [zlib.BROTLI_PARAM_QUALITY]: 5 } }
const COMPRESS = {
  br: (body: Buffer) => promisify(brotliCompress)(body, QUALITY),
  gzip: (body: Buffer) => promisify(gzip)(body),
}

export type Encoding = 'br' | 'gzip' | 'identity'

/** The answer to a path, before it is compressed. */
export interface Content {
  /** The Content-Type. */
  type: string
  body: string | Buffer
  /** The request headers that choose the variant. */
  vary?: string
  /** Its own Content-Security-Policy, if it has an inline script. */
  policy?: string
  /** Default: revalidated by ETag each time, and as it is: a proxy that hides email addresses would put scripts into pages. */
  cacheControl?: string
  /** Default: 200. An error has something to read, so it is sent whole, whatever the request knows already. */
  status?: number
}

/** Content as it is sent. */
export interface EncodedContent extends Omit<Content, 'body'> {
  body: Buffer
  encoding: Encoding
}

/** Sends the content with this name. It is made at its first request in each encoding, then cached. */
export type SendCached = (
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  make: (encoding: Encoding) => Promise<EncodedContent>,
) => Promise<FastifyReply>

/** The names come from a finite set, so the cache never evicts. */
export function createSendCached(): SendCached {
  const cache = new Map<string, Promise<EncodedContent & { etag: string }>>()
  return async (request, reply, name, make) => {
    const encoding = chosenEncoding(request)
    const key = `${encoding} ${name}`
    let content = cache.get(key)
    if (!content) {
      content = make(encoding).then((made) => ({ ...made, etag: etagOf(made.body) }))
      cache.set(key, content)
      content.catch(() => cache.delete(key))
    }
    const {
      type,
      body,
      vary,
      policy,
      cacheControl = 'no-cache, no-transform',
      status = 200,
      encoding: used,
      etag,
    } = await content
    reply.headers({ 'cache-control': cacheControl, vary: ['Accept-Encoding', vary].filter(Boolean).join(', ') })
    if (policy) reply.header('content-security-policy', policy)
    if (status === 200) {
      // Made from the encoded bytes: each encoding needs its own ETag.
      reply.header('etag', etag)
      if (hasEtag(request.headers['if-none-match'], etag)) return reply.status(304).send()
    }
    if (used !== 'identity') reply.header('content-encoding', used)
    return reply.status(status).type(type).send(body)
  }
}

export async function compress(content: Content, encoding: Encoding): Promise<EncodedContent> {
  const body = typeof content.body === 'string' ? Buffer.from(content.body) : content.body
  return { ...content, encoding, body: encoding === 'identity' ? body : await COMPRESS[encoding](body) }
}

function chosenEncoding({ headers }: FastifyRequest): Encoding {
  const accepted = String(headers['accept-encoding'] ?? '')
    .slice(0, ACCEPT_ENCODING_CHARACTERS)
    .toLowerCase()
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]?.trim())
  return accepted.includes('br') ? 'br' : accepted.includes('gzip') ? 'gzip' : 'identity'
}
