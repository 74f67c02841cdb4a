// Checks that no screen has bare text beside what React adds or removes, nor bare text that changes. A browser that translates a page replaces
// each text by elements: React no longer finds the text, so the screen crashes or keeps the old words. Text in an element of its own is safe.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync } from '@swc/core'

/** The functions whose result is a text. */
const TEXT_OF = /(Text|Note|hoursAndMinutes)$/

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Kind of a child: `text`, `none`, or an `element`; whether React adds and removes it, or changes its words. */
function childOf(node) {
  if (node.type === 'JSXText') return { kind: node.value.trim() === '' ? 'none' : 'text' }
  return node.type === 'JSXExpressionContainer' ? shownBy(node.expression) : { kind: 'element' }
}

function shownBy(node) {
  if (node.type === 'ParenthesisExpression') return shownBy(node.expression)
  if (node.type === 'JSXEmptyExpression' || node.type === 'NullLiteral') return { kind: 'none' }
  // A space is not translated.
  if (node.type === 'StringLiteral') return { kind: node.value.trim() === '' ? 'none' : 'text' }
  if (node.type === 'TemplateLiteral') return { kind: 'text', isChanging: true }
  if (isTextCall(node)) return { kind: 'text', isChanging: node.arguments.length > 0 }
  if (node.type === 'ConditionalExpression') return eitherOf(node.consequent, node.alternate)
  // Such as `isOn && text`.
  if (node.type === 'BinaryExpression') return { ...shownBy(node.right), isConditional: true }
  return { kind: 'element' }
}

/** One of two texts is a text that changes: React keeps its node. */
function eitherOf(one, other) {
  const kinds = [shownBy(one).kind, shownBy(other).kind]
  const isConditional = kinds.some((kind) => kind !== 'text')
  return { kind: kinds.includes('text') ? 'text' : 'element', isConditional, isChanging: true }
}

/** A call such as `texts.title()` or `timeText(end)`. */
function isTextCall({ type, callee }) {
  if (type !== 'CallExpression') return false
  return callee.type === 'MemberExpression' ? /texts$/i.test(callee.object.value ?? '') : TEXT_OF.test(callee.value)
}

/** The children of a fragment come and go with it, one by one. */
function isUnsafe({ type, children }) {
  const shown = children.map(childOf).filter(({ kind }) => kind !== 'none')
  if (shown.length < 2 || shown.every(({ kind }) => kind !== 'text')) return false
  const isReplaced = ({ kind, isConditional, isChanging }) => isConditional || (kind === 'text' && isChanging)
  return type === 'JSXFragment' || shown.some(isReplaced)
}

function* unsafeIn(node) {
  if (node === null || typeof node !== 'object') return
  if ((node.type === 'JSXElement' || node.type === 'JSXFragment') && isUnsafe(node)) yield node
  for (const [name, value] of Object.entries(node)) if (name !== 'span') yield* unsafeIn(value)
}

const screens = execFileSync('git', ['ls-files', 'web/src/*.tsx'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
// Public pages have no React in the browser.
for (const path of screens.filter((path) => !/\.test\.tsx$|^web\/src\/marketing\//.test(path))) {
  // Spans count bytes from where the program before ended.
  const source = Buffer.from(readFileSync(ROOT + path, 'utf8'))
  const { body, span } = parseSync(source.toString(), { syntax: 'typescript', tsx: true })
  for (const { span: at } of unsafeIn(body)) {
    const end = source.length - span.end + at.start
    console.error(
      `${path}:${source.subarray(0, end).toString().split('\n').length}: wrap the text in an element of its own`,
    )
    process.exitCode = 1
  }
}
if (!process.exitCode)
  console.log(`${screens.length} files have no bare text that a translated page could not replace.`)
