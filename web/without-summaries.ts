import type { Plugin } from 'vite'

/** The files of core that define endpoints. */
const CONTRACT = /\/core\/src\/\w+\/api\.ts$/
const TEXT = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/.source
const SCOPES = /\bscopes: \[[^\]]*\],/g
const SUMMARY = new RegExp(`\\bsummary:\\s*(?:${TEXT})(?:\\s*\\+\\s*(?:${TEXT}))*,`, 'g')

/** Removes the summaries and scopes of endpoints from the build: only the server reads them. */
export function withoutSummaries(): Plugin {
  return {
    name: 'deeb-without-summaries',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!CONTRACT.test(id)) return null
      const short = code.replaceAll(SUMMARY, '').replaceAll(SCOPES, '')
      if (/\bsummary:/.test(short)) throw new Error(`A summary in ${id} is not made of string literals.`)
      return { code: short, map: null }
    },
  }
}
