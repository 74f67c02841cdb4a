// Runs in npm run test:all.
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { startChildServer } from '../testing/child-server.ts'
import { WEB_ROOT } from '../testing/web-root.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

test('the files that the Dockerfile copies are enough to start the server', { timeout: 180_000 }, async () => {
  const image = await mkdtemp(join(tmpdir(), 'deeb-image-'))
  onTestFinished(() => rm(image, { recursive: true, force: true }))
  const dockerfile = await readFile(join(ROOT, 'Dockerfile'), 'utf8')
  const copies = [...dockerfile.matchAll(/^COPY --from=build (?:--\S+ )*(.+) (\S+)$/gm)]
  for (const [, sources = '', target = ''] of copies) {
    for (const source of sources.split(' ').map((source) => source.replace('/deeb/', ''))) {
      const to = join(image, target, /\/$/.test(target) ? source.slice(source.lastIndexOf('/') + 1) : '')
      // Only a release builds the web.
      await cp(source === 'web/dist' ? WEB_ROOT : join(ROOT, source), to, { recursive: true })
    }
  }
  const [, program = ''] = /^CMD \["node", .*"(.+)"\]$/m.exec(dockerfile) ?? []
  const env = { NODE_ENV: 'production', DATA_DIR: join(image, 'data') }
  const server = await startChildServer(env, { program: join(image, program) })
  onTestFinished(async () => void (await server.stop('SIGKILL')))
  expect((await fetch(`${server.origin}/healthz`)).status).toBe(200)
})
