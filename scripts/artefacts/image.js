// The OCI image: Debian's libraries that Node.js needs and no shell, Node.js, and the server as the user 1000. One archive has both
// architectures: `skopeo copy --all oci-archive:FILE docker://NAME` publishes it.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { readJson } from './tree.js'

const SUITE = 'trixie'
const PACKAGES = 'base-files,netbase,libc6,libgcc-s1,libstdc++6'
const KEPT = ['lib*', 'usr/lib*', 'etc/os-release', 'etc/protocols', 'etc/services', 'proc', 'sys', 'tmp']
/** The licences, and the list of packages for scanners of vulnerabilities. */
const STATED = ['usr/share/doc/*/copyright', 'usr/share/common-licenses', 'var/lib/dpkg/status.d']
const STATE_PACKAGES = `mkdir -p "$1/var/lib/dpkg/status.d"
for deb in "$1"/var/cache/apt/archives/*.deb; do
  dpkg-deb --field "$deb" > "$1/var/lib/dpkg/status.d/$(dpkg-deb --field "$deb" Package)"
done`
const USER = 'deeb:x:1000:1000:deeb:/data:/usr/sbin/nologin\n'
const GROUP = 'deeb:x:1000:\n'
const NODE = '/usr/lib/deeb/node'
const COMMANDS = `#!${NODE}\nimport '/usr/lib/deeb/server/dist/cli.js'\n`
const IS_HEALTHY = `fetch('http://127.0.0.1:3000/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))`

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json'
const INDEX = 'application/vnd.oci.image.index.v1+json'
const CONFIG = 'application/vnd.oci.image.config.v1+json'
const LAYER = 'application/vnd.oci.image.layer.v1.tar+gzip'

/** Makes `deeb-VERSION.oci.tar` of `roots`, a folder with the server in `usr/lib/deeb` for each architecture. */
export function makeImage(roots, folder, output, epoch) {
  const { version, license } = readJson('package.json')
  const oci = join(folder, 'oci')
  mkdirSync(join(oci, 'blobs/sha256'), { recursive: true })
  const images = Object.entries(roots).map(([architecture, root]) => ({
    ...addImage(architecture, root),
    platform: { architecture, os: 'linux' },
  }))
  const index = addJson(INDEX, { schemaVersion: 2, mediaType: INDEX, manifests: images })
  const named = { ...index, annotations: { 'org.opencontainers.image.ref.name': `localhost/deeb:${version}` } }
  writeFileSync(join(oci, 'index.json'), JSON.stringify({ schemaVersion: 2, mediaType: INDEX, manifests: [named] }))
  writeFileSync(join(oci, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }))
  tar(join(output, `deeb-${version}.oci.tar`), '-C', oci, 'blobs', 'index.json', 'oci-layout')

  function addImage(architecture, root) {
    const base = makeBase(architecture)
    const own = `${base}-own`
    mkdirSync(join(own, 'usr/bin'), { recursive: true })
    mkdirSync(join(own, 'data'))
    writeFileSync(join(own, 'usr/bin/deeb-admin'), COMMANDS, { mode: 0o755 })
    // From what changes seldom to what changes in each release.
    const layers = [
      addLayer('-C', base, '.', '-C', root, NODE.slice(1)),
      addLayer('--owner=1000', '--group=1000', '-C', own, 'data'),
      addLayer(`--exclude=${NODE.slice(1)}`, '-C', root, 'usr/lib/deeb', '-C', own, 'usr/bin'),
    ]
    const config = addJson(CONFIG, {
      created: new Date(epoch * 1000).toISOString(),
      architecture,
      os: 'linux',
      config: {
        User: '1000:1000',
        ExposedPorts: { '3000/tcp': {} },
        Volumes: { '/data': {} },
        WorkingDir: '/usr/lib/deeb',
        Env: ['PATH=/usr/bin:/usr/lib/deeb', 'NODE_ENV=production', 'HOST=0.0.0.0', 'DATA_DIR=/data'],
        Cmd: [NODE, '--max-semi-space-size=8', 'server/dist/main.js'],
        // OCI knows no health check. Docker reads its own field, and others ignore it.
        Healthcheck: { Test: ['CMD', NODE, '-e', IS_HEALTHY], Interval: 30e9, Timeout: 5e9, StartPeriod: 60e9 },
        Labels: { 'org.opencontainers.image.version': version, 'org.opencontainers.image.licenses': license },
      },
      rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    })
    return addJson(MANIFEST, {
      schemaVersion: 2,
      mediaType: MANIFEST,
      config,
      layers: layers.map(({ descriptor }) => descriptor),
    })
  }

  /** Returns a folder with the files of Debian's packages. Nothing of them runs, so the architecture may be another one. */
  function makeBase(architecture) {
    const base = join(folder, `base-${architecture}`)
    const debian = `${base}.tar`
    const options = ['--quiet', '--variant=extract', '--format=tar', `--extract-hook=${STATE_PACKAGES}`]
    const env = { ...process.env, SOURCE_DATE_EPOCH: epoch }
    run('mmdebstrap', [...options, `--architectures=${architecture}`, `--include=${PACKAGES}`, SUITE, debian], { env })
    mkdirSync(base)
    const members = [...KEPT, ...STATED].map((path) => `./${path}`)
    run('tar', ['--extract', '--preserve-permissions', '--wildcards', '--file', debian, '-C', base, ...members])
    writeFileSync(join(base, 'etc/passwd'), USER)
    writeFileSync(join(base, 'etc/group'), GROUP)
    return base
  }

  function addLayer(...members) {
    const layer = join(folder, 'layer.tar')
    tar(layer, ...members)
    const diffId = sha256(layer)
    run('gzip', ['--no-name', '--force', layer])
    return { diffId, descriptor: addBlob(LAYER, `${layer}.gz`) }
  }

  function addJson(mediaType, value) {
    const file = join(folder, 'blob.json')
    writeFileSync(file, JSON.stringify(value))
    return addBlob(mediaType, file)
  }

  /** Moves a file to its place in the image. Returns its descriptor. */
  function addBlob(mediaType, file) {
    const descriptor = { mediaType, digest: sha256(file), size: statSync(file).size }
    renameSync(file, join(oci, 'blobs', descriptor.digest.replace(':', '/')))
    return descriptor
  }

  /** Options in `members` come later, and win. */
  function tar(file, ...members) {
    const owned = ['--sort=name', `--mtime=@${epoch}`, '--owner=0', '--group=0', '--numeric-owner', '--format=gnu']
    run('tar', ['--create', '--file', file, ...owned, ...members])
  }
}

/** The sizes of an image in bytes: of its layers as they are stored, and unpacked. */
export function imageSize(file, architecture) {
  const blob = ({ digest }) =>
    execFileSync('tar', ['--extract', '--to-stdout', '--file', file, `blobs/${digest.replace(':', '/')}`], {
      maxBuffer: 2 ** 29,
    })
  const index = JSON.parse(run('tar', ['--extract', '--to-stdout', '--file', file, 'index.json'])).manifests[0]
  const image = JSON.parse(blob(index)).manifests.find(({ platform }) => platform.architecture === architecture)
  const { layers } = JSON.parse(blob(image))
  return {
    compressed: layers.reduce((sum, { size }) => sum + size, 0),
    unpacked: layers.reduce((sum, layer) => sum + gunzipSync(blob(layer)).length, 0),
  }
}

function sha256(file) {
  return `sha256:${createHash('sha256').update(readFileSync(file)).digest('hex')}`
}

function run(program, args, options) {
  return execFileSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'inherit'],
    ...options,
  })
}
