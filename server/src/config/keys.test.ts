import { createSign, createVerify } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { deriveKeys, loadKeys, loadSecret } from './keys.ts'

const MAY_CREATE = { mayCreate: true } as const

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deeb-keys-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('the secret', () => {
  test('is created at the first start with owner-only permissions, and stays', async () => {
    const dataDir = join(folder, 'first', 'start')
    const secret = await loadSecret({ secret: null, dataDir }, MAY_CREATE)
    expect(secret).toHaveLength(32)
    expect(await readFile(join(dataDir, 'secret'), 'utf8')).toBe(`${secret?.toString('hex')}\n`)
    expect((await stat(join(dataDir, 'secret'))).mode & 0o777).toBe(0o600)
    expect(await loadSecret({ secret: null, dataDir }, MAY_CREATE)).toEqual(secret)
    expect(await readdir(dataDir)).toEqual(['secret'])
  })

  test('is the same for servers that start concurrently', async () => {
    const dataDir = join(folder, 'together')
    const secrets = await Promise.all(
      Array.from({ length: 10 }, () => loadSecret({ secret: null, dataDir }, MAY_CREATE)),
    )
    expect(new Set(secrets.map((secret) => secret?.toString('hex'))).size).toBe(1)
    expect(await readdir(dataDir)).toEqual(['secret'])
  })

  test('in DEEB_SECRET comes first and creates no file', async () => {
    const secret = await loadSecret({ secret: 'ab'.repeat(32), dataDir: join(folder, 'named') }, MAY_CREATE)
    expect(secret).toEqual(Buffer.alloc(32, 0xab))
    expect(await readdir(folder)).not.toContain('named')
  })

  test('that is damaged stops the start and is not overwritten', async () => {
    for (const text of ['', 'abc', 'x'.repeat(64)]) {
      await writeFile(join(folder, 'secret'), text)
      await expect(loadSecret({ secret: null, dataDir: folder }, MAY_CREATE)).rejects.toThrow('64 hexadecimal digits')
      expect(await readFile(join(folder, 'secret'), 'utf8')).toBe(text)
    }
  })
})

describe('the keys', () => {
  test('are deterministic, and different for another secret', async () => {
    const [one, same, other] = await Promise.all([1, 1, 2].map((byte) => deriveKeys(Buffer.alloc(32, byte))))
    const shown = (keys = one) => [
      keys?.jwks,
      keys?.refreshKey,
      keys?.adminKey,
      keys?.signing.kid,
      keys?.sealKeys,
      keys?.unsubscribeKeys,
      keys?.invitationKeys,
    ]
    expect(shown(same)).toEqual(shown(one))
    for (const [index, value] of shown(other).entries()) expect(value).not.toEqual(shown(one)[index])
  })

  // Computed with another implementation of HKDF and P-256. A change of the derivation would sign all users out.
  test('match the test vectors of a known secret', async () => {
    const secret = Buffer.from(`${'00'.repeat(31)}01`, 'hex')
    const { jwks, refreshKey, adminKey, sealKeys, unsubscribeKeys } = await deriveKeys(secret)
    expect(jwks.keys).toEqual([
      {
        kty: 'EC',
        crv: 'P-256',
        x: 'vJ9NY3GQJxBxLS_jE-ZITFrqAnUiPxLdgRNUHXQattQ',
        y: '10b7sO75qjiTul8Eqfbn0vXst9SE_OCrRFfEMqcN-mk',
        kid: 'RFJX6Gvzp9Y7fhQUdxaYNcVIyLFRWqDiFHf2mKeGMx4',
        alg: 'ES256',
        use: 'sig',
      },
    ])
    expect(refreshKey.toString('hex')).toBe('70d636f4bdcba3a4d4fdedea4c932cbece97d91d2cbaf01a202d8055fa63f59e')
    expect(sealKeys[0].toString('hex')).toBe('d3c9cd14b9750665e9468f5c0f3704b58ded126dacb63dcc44ba6597a961ac4c')
    expect(unsubscribeKeys[0].toString('hex')).toBe('bd19c98cfd9d1a8879b468aa0737a916cb586c59500ff8abf76820e24a84bc5f')
    expect(adminKey).toBe('AtU0PoqMTgzr1YxfYdiRnz96EvJxaVLIltXsI7Uaeuc')
  })

  test('sign tokens that the published key verifies', async () => {
    const { signing, publicKeys } = await deriveKeys(Buffer.alloc(32, 3))
    const publicKey = publicKeys.get(signing.kid)
    const signature = createSign('sha256').update('text').sign(signing.privateKey)
    expect(publicKey && createVerify('sha256').update('text').verify(publicKey, signature)).toBe(true)
    expect(publicKey?.type).toBe('public')
  })

  test('of the old secret verify and decrypt only; those of the new one sign and encrypt', async () => {
    const [old, next] = await Promise.all([1, 2].map((byte) => deriveKeys(Buffer.alloc(32, byte))))
    const both = await deriveKeys(Buffer.alloc(32, 2), Buffer.alloc(32, 1))
    expect(both.signing.kid).toBe(next?.signing.kid)
    expect(both.refreshKey).toEqual(next?.refreshKey)
    expect(both.adminKey).toBe(next?.adminKey)
    expect(both.jwks.keys).toEqual([...(next?.jwks.keys ?? []), ...(old?.jwks.keys ?? [])])
    expect([...both.publicKeys.keys()]).toEqual([next?.signing.kid, old?.signing.kid])
    expect(both.refreshKeys).toEqual([next?.refreshKey, old?.refreshKey])
    expect(both.sealKeys).toEqual([next?.sealKeys[0], old?.sealKeys[0]])
    expect(both.unsubscribeKeys).toEqual([next?.unsubscribeKeys[0], old?.unsubscribeKeys[0]])
    expect(both.invitationKeys).toEqual([next?.invitationKeys[0], old?.invitationKeys[0]])
    expect(await deriveKeys(Buffer.alloc(32, 2), Buffer.alloc(32, 2))).toEqual(next)
  })
})

test('both secrets come from the environment, and an invalid one stops the start with its name', async () => {
  const env = { DATA_DIR: folder, DEEB_SECRET: '02'.repeat(32), DEEB_SECRET_OLD: '01'.repeat(32) }
  const keys = await loadKeys(readConfig(env), MAY_CREATE)
  expect(keys.refreshKeys).toEqual((await deriveKeys(Buffer.alloc(32, 2), Buffer.alloc(32, 1))).refreshKeys)
  expect(() => readConfig({ ...env, DEEB_SECRET_OLD: 'x' })).toThrow('DEEB_SECRET_OLD must be 64 hexadecimal digits')
})
