import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A browser that subscribes to push messages. */
export interface TestBrowser {
  /** The keys as `PushSubscription.getKey` returns them, base64url. */
  keys: { p256dh: string; auth: string }
  /** Decrypts a message (RFC 8291). Throws if it is for another browser. */
  decrypt(body: Buffer): string
}

/** A message that the push service received for one browser. */
export interface ReceivedPush {
  message: Record<string, unknown>
  headers: IncomingHttpHeaders
  /** The length of the encrypted body. */
  size: number
}

/** A push service on this machine, and the browsers that subscribed at it. */
export interface PushService {
  origin: string
  /** Subscribes a new browser to the server with this key. `received` fills up with what arrives for it. */
  subscribe(publicKey: string): {
    subscription: { endpoint: string; p256dh: string; auth: string }
    received: ReceivedPush[]
  }
  /** How it answers; by default with 201. */
  answer: (response: ServerResponse) => void
  /** The number of requests, also those that it refused. */
  requests(): number
  close(): Promise<void>
}

export function aBrowser(): TestBrowser {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  return browserWith(ecdh.getPrivateKey(), randomBytes(16))
}

/** Written from the RFC and not with the library of the server, so that both cannot be wrong in the same way. */
export function browserWith(privateKey: Buffer, authSecret: Buffer): TestBrowser {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(privateKey)
  const p256dh = ecdh.getPublicKey()
  const derive = (secret: Buffer, salt: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, info, length))
  return {
    keys: { p256dh: p256dh.toString('base64url'), auth: authSecret.toString('base64url') },
    decrypt(body) {
      // salt (16) | record size (4) | length of the key id (1) | key id: the public key of the sender | one record
      const [salt, idLength] = [body.subarray(0, 16), body.readUInt8(20)]
      const [sender, record] = [body.subarray(21, 21 + idLength), body.subarray(21 + idLength)]
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, sender])
      const secret = derive(ecdh.computeSecret(sender), authSecret, info, 32)
      const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
      const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
      const decipher = createDecipheriv('aes-128-gcm', key, nonce)
      decipher.setAuthTag(record.subarray(-16))
      const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
      const end = padded.lastIndexOf(2)
      if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('Wrong padding.')
      return padded.subarray(0, end).toString()
    },
  }
}

export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, { browser: TestBrowser; publicKey: string; received: ReceivedPush[] }>()
  let requests = 0
  const server = createServer(async (request, response) => {
    requests += 1
    const body = await buffer(request)
    const to = browsers.get(request.url ?? '')
    if (!to || !isAuthorized(request.headers.authorization ?? '', to.publicKey, service.origin)) {
      response.writeHead(to ? 403 : 404).end()
      return
    }
    const message = JSON.parse(to.browser.decrypt(body))
    to.received.push({ message, headers: request.headers, size: body.length })
    service.answer(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const service: PushService = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    subscribe(publicKey) {
      const [browser, path] = [aBrowser(), `/${randomBytes(8).toString('hex')}`]
      const received: ReceivedPush[] = []
      browsers.set(path, { browser, publicKey, received })
      return { subscription: { endpoint: service.origin + path, ...browser.keys }, received }
    },
    answer: (response) => void response.writeHead(201).end(),
    requests: () => requests,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return service
}

/** Checks the header of RFC 8292 as push services do. */
function isAuthorized(header: string, publicKey: string, origin: string): boolean {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  if (key !== publicKey) return false
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const verifying = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: verifying, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  return isSigned && aud === origin && typeof exp === 'number' && /^(https?:|mailto:)/.test(sub)
}
