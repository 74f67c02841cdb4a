// Makes a release of the current commit: npm run release -- 0.2.0 [--dry-run]
// Sets the version of every package, moves "Unreleased" of CHANGELOG.md to a section of the version, commits, makes all files of
// scripts/artefacts.js in dist-release/, and tags. It never pushes or publishes.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { makeArtefacts } from './artefacts.js'

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

if (isDryRun) printPlan()
else release()

function printPlan() {
  console.log(`Would set ${current} to ${version} in ${[...manifests, 'package-lock.json'].join(', ')}.`)
  console.log(`Would move these changes to "${heading}" in ${CHANGELOG}:\n\n${changes}\n`)
  console.log(`Would commit "release: ${version}" on ${branch} and make the tag ${tag}.`)
  console.log(`Would write its files into ${OUTPUT}/.`)
}

function release() {
  const before = git('rev-parse', 'HEAD')
  let files = []
  try {
    for (const path of manifests) writeJson(path, withVersion(readJson(path)))
    writeJson('package-lock.json', lockWithVersion(readJson('package-lock.json')))
    // A function as the replacement: a $ in the changes is plain text.
    writeFileSync(
      root + CHANGELOG,
      changelog.replace(UNRELEASED, (all) => `## Unreleased\n\n${all.replace('## Unreleased', heading)}`),
    )
    git('commit', '--quiet', '--all', '--message', `release: ${version}`)
    files = makeArtefacts(root + OUTPUT)
  } catch (error) {
    git('reset', '--quiet', '--hard', before)
    refuse(`Nothing is released: ${error.message}`)
  }
  git('tag', '--annotate', '--cleanup=whitespace', '--message', `deeb ${version}\n\n${changes}`, tag)
  console.log(`Made ${tag} and ${OUTPUT}/: ${files.join(', ')}.`)
  console.log(`Now push: git push origin ${branch} ${tag}`)
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

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()
}

function refuse(sentence) {
  console.error(sentence)
  process.exit(1)
}
