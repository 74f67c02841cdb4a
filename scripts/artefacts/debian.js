// The Debian package: the server with its own Node.js in /usr/lib/deeb, its unit, its settings and the administration commands.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ROOT, readJson } from './tree.js'

const DEPENDS = 'adduser, libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 9), systemd'
const DESCRIPTION = `focus time for companies
 One switch starts and ends a focus session, a ring shows the day against
 your goal, and colleagues see when not to interrupt. This is the server with
 its web app and an embedded database. It can use PostgreSQL instead.`

const OTHERS = `Other software in this package, with their licences:
/usr/lib/deeb/node: /usr/lib/deeb/node-licence.txt
/usr/lib/deeb/server/dist: /usr/lib/deeb/server/dist/licences.txt
/usr/lib/deeb/node_modules: each in its folder
`

/** Makes `deeb_VERSION_ARCHITECTURE.deb` of `root`, a folder with the server in `usr/lib/deeb`. Changes the folder. */
export function makeDebianPackage(root, architecture, output, epoch) {
  const { version } = readJson('package.json')
  const put = (from, to) => {
    mkdirSync(dirname(join(root, to)), { recursive: true })
    copyFileSync(join(ROOT, 'deploy', from), join(root, to))
  }
  put('deeb.service', 'usr/lib/systemd/system/deeb.service')
  put('debian/deeb.env', 'etc/deeb/deeb.env')
  put('debian/deeb-admin', 'usr/bin/deeb-admin')
  put('debian/lintian-overrides', 'usr/share/lintian/overrides/deeb')
  for (const script of ['postinst', 'prerm', 'postrm']) put(`debian/${script}`, `DEBIAN/${script}`)

  const doc = join(root, 'usr/share/doc/deeb')
  const server = join(root, 'usr/lib/deeb')
  mkdirSync(doc, { recursive: true })
  const licence = readFileSync(join(server, 'LICENSE'), 'utf8')
  writeFileSync(join(doc, 'copyright'), `${licence}\n${OTHERS}`)
  const maintainer = run('git', 'log', '-1', '--format=%an <%ae>')
  const day = run('date', '--utc', '--rfc-email', `--date=@${epoch}`)
  const changes = `deeb (${version}) stable; urgency=medium\n\n  * CHANGELOG.md of the source.\n\n -- ${maintainer}  ${day}\n`
  writeFileSync(join(doc, 'changelog.gz'), gzipSync(changes, { level: 9 }))

  const [size] = run('du', '--summarize', '--apparent-size', '--block-size=1K', '--exclude=DEBIAN', root).split('\t')
  writeFileSync(join(root, 'DEBIAN/conffiles'), '/etc/deeb/deeb.env\n')
  writeFileSync(
    join(root, 'DEBIAN/control'),
    `Package: deeb
Version: ${version}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${size}
Depends: ${DEPENDS}
Section: web
Priority: optional
Description: ${DESCRIPTION}
`,
  )
  run('chmod', '755', join(root, 'usr/bin/deeb-admin'))
  run('chmod', '640', join(root, 'etc/deeb/deeb.env'))
  // One thread: the blocks of several depend on the machine.
  const options = ['--root-owner-group', '-Zxz', '-z1', '--threads-max=1']
  process.env.SOURCE_DATE_EPOCH = epoch
  run('dpkg-deb', ...options, '--build', root, output)
}

function run(program, ...args) {
  return execFileSync(program, args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()
}
