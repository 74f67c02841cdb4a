// Makes a release of the current commit: npm run release -- 0.2.0 [--dry-run]
// Sets the version of every package, moves "Unreleased" of CHANGELOG.md to a section of the version, commits, tags, and writes
// the source, a bill of materials, the list of what the database keeps, what scripts/artefacts.js makes, and checksums into dist-release/.
// It never pushes or publishes.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { makeArtefacts } from './artefacts.js'
import { distributedPackages } from './distributed.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const OUTPUT = 'dist-release'
const CHANGELOG = 'CHANGELOG.md'
const SEMVER = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/
/** The heading, and the section up to the next version. */
const UNRELEASED = /^## Unreleased\n([\s\S]*?)(?=^## |(?![\s\S]))/m

const isDryRun = process.argv.includes('--dry-run')
const [version, ...others] = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))
const tag = `v${version}`

if (!version || others.length > 0) refuse('Name one version: npm run release -- 0.2.0')
if (!SEMVER.test(version)) refuse(`"${version}" is not a version such as 0.2.0.`)
if (git('tag', '--list', tag) !== '') refuse(`${tag} is released already.`)
if (git('status', '--porcelain') !== '') refuse('The working tree has changes: commit or stash them first.')
const branch = git('rev-parse', '--abbrev-ref', 'HEAD')
if (branch === 'HEAD') refuse('No branch is checked out.')

const manifests = ['package.json', ...readJson('package.json').workspaces.map((folder) => `${folder}/package.json`)]
const { version: current } = readJson('package.json')
if (!isNewer(version, current)) refuse(`${version} is not newer than ${current}.`)
for (const path of manifests) {
  if (isNewer(readJson(path).version, version)) refuse(`${path} has a newer version: ${readJson(path).version}.`)
}
const changelog = readFileSync(root + CHANGELOG, 'utf8')
const changes = UNRELEASED.exec(changelog)?.[1].trim() ?? ''
if (!/^[-\d]/m.test(changes)) refuse(`"Unreleased" in ${CHANGELOG} is empty. Describe the changes there.`)

const heading = `## ${version} - ${new Date().toISOString().slice(0, 10)}`
const changedFiles = [...manifests, 'package-lock.json', CHANGELOG]
const source = `deeb-${version}.tar.gz`
/** The pages of `admin data`, by their language. */
const DATA_PAGES = { 'data.md': 'en', 'daten.md': 'de' }
const summed = [source, 'sbom.cdx.json', ...Object.keys(DATA_PAGES)]
/** The time of the commit and of all files: who makes the artefacts of the tag again gets the same bytes. */
const epoch = String(Math.floor(Date.now() / 1000))

if (isDryRun) printPlan()
else release()

function printPlan() {
  console.log(`Would set ${current} to ${version} in ${[...manifests, 'package-lock.json'].join(', ')}.`)
  console.log(`Would move these changes to "${heading}" in ${CHANGELOG}:\n\n${changes}\n`)
  console.log(`Would commit "release: ${version}" on ${branch} and make the tag ${tag}.`)
  console.log(`Would write ${summed.join(', ')}, the artefacts and SHA256SUMS into ${OUTPUT}/.`)
}

function release() {
  rmSync(root + OUTPUT, { recursive: true, force: true })
  mkdirSync(root + OUTPUT)
  try {
    for (const path of manifests) writeJson(path, withVersion(readJson(path)))
    writeJson('package-lock.json', lockWithVersion(readJson('package-lock.json')))
    // A function as the replacement: a $ in the changes is plain text.
    writeFileSync(
      root + CHANGELOG,
      changelog.replace(UNRELEASED, (all) => `## Unreleased\n\n${all.replace('## Unreleased', heading)}`),
    )
    writeOutput('sbom.cdx.json', billOfMaterials())
    summed.push(...makeArtefacts(root + OUTPUT, epoch))
    for (const [name, language] of Object.entries(DATA_PAGES)) writeOutput(name, dataPage(language))
    git('add', ...changedFiles)
    process.env.GIT_COMMITTER_DATE = `@${epoch} +0000`
    git('commit', '--quiet', '--message', `release: ${version}`)
  } catch (error) {
    git('checkout', '--quiet', 'HEAD', '--', ...changedFiles)
    refuse(`Nothing is released: ${error.message}`)
  }
  git('tag', '--annotate', '--cleanup=whitespace', '--message', `deeb ${version}\n\n${changes}`, tag)
  writeOutput(
    source,
    execFileSync('git', ['archive', '--format=tar.gz', `--prefix=deeb-${version}/`, tag], options('buffer')),
  )
  writeOutput('SHA256SUMS', summed.map((name) => `${sha256(name)}  ${name}\n`).join(''))
  console.log(`Made ${tag} and ${OUTPUT}/: ${summed.join(', ')}, SHA256SUMS.`)
  console.log(`Now push: git push origin ${branch} ${tag}`)
}

/** The list of what the database keeps. */
function dataPage(language) {
  return execFileSync(process.execPath, ['server/dist/cli.js', 'data', '--language', language], options('utf8'))
}

/** A package.json with the new version, also for the workspaces that it depends on. */
function withVersion(manifest) {
  return { ...manifest, version, ...withSiblings(manifest) }
}

/** The lock file has the same fields for the root and for each workspace. */
function lockWithVersion(lock) {
  const folders = manifests.map((path) => path.replace(/\/?package\.json$/, ''))
  const packages = Object.fromEntries(
    Object.entries(lock.packages).map(([path, entry]) => [path, folders.includes(path) ? withVersion(entry) : entry]),
  )
  return { ...lock, version, packages }
}

function withSiblings(manifest) {
  const kinds = ['dependencies', 'devDependencies'].filter((kind) => manifest[kind])
  return Object.fromEntries(
    kinds.map((kind) => [
      kind,
      Object.fromEntries(
        Object.entries(manifest[kind]).map(([name, range]) => [name, name.startsWith('@deeb/') ? version : range]),
      ),
    ]),
  )
}

/** CycloneDX, from the lock file, without what only builds and tests. npm names the root after its folder. */
function billOfMaterials() {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--include', 'dev', '--package-lock-only']
  const bom = JSON.parse(execFileSync('npm', args, { ...options('utf8'), shell: process.platform === 'win32' }))
  // Not by `--omit dev`: npm then leaves out each package that a test uses too, such as react.
  const listed = new Set([...manifests.map(readJson), ...distributedPackages()].map(refOf))
  bom.metadata.component.name = 'deeb'
  bom.components = bom.components.filter((component) => listed.has(component['bom-ref']))
  bom.dependencies = bom.dependencies
    .filter(({ ref }) => listed.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => listed.has(other)) }))
  return `${JSON.stringify(bom, null, 2)}\n`
}

function refOf({ name, version }) {
  return `${name}@${version}`
}

function isNewer(one, other) {
  const [a, b] = [one, other].map((text) => text.split('.').map(Number))
  const index = a.findIndex((number, at) => number !== b[at])
  return index >= 0 && a[index] > b[index]
}

function readJson(path) {
  return JSON.parse(readFileSync(root + path, 'utf8'))
}

function writeJson(path, value) {
  writeFileSync(root + path, `${JSON.stringify(value, null, 2)}\n`)
}

function writeOutput(name, content) {
  writeFileSync(`${root}${OUTPUT}/${name}`, content)
}

function sha256(name) {
  return createHash('sha256')
    .update(readFileSync(`${root}${OUTPUT}/${name}`))
    .digest('hex')
}

function git(...args) {
  return execFileSync('git', args, options('utf8')).trim()
}

function options(encoding) {
  return { cwd: root, encoding, maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'inherit'] }
}

function refuse(sentence) {
  console.error(sentence)
  process.exit(1)
}
