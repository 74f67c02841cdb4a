/*
 * Which modules of the app are in which file. The first screen needs as few files as possible, and a release should change as little of
 * them as possible.
 */

interface ModuleInfo {
  importers: readonly string[]
  dynamicImporters: readonly string[]
}

interface Graph {
  getModuleInfo(id: string): ModuleInfo | null
}

const ENTRY = /\/web\/src\/main\.tsx$/
const SITE = /\/web\/src\/marketing\//
/** Its name and content survive releases of deeb. */
const FRAMEWORK = /\/node_modules\/(react|react-dom|scheduler|@tanstack|wouter|regexparam|use-sync-external-store)\//

/** Whether a module is needed before the first paint of the app: `main.tsx` imports it, directly or by other modules. */
function isOfFirstPaint(id: string, graph: Graph, seen = new Set<string>()): boolean {
  if (ENTRY.test(id)) return true
  if (seen.has(id)) return false
  seen.add(id)
  return graph.getModuleInfo(id)?.importers.some((importer) => isOfFirstPaint(importer, graph, seen)) ?? false
}

/** Whether the public pages use a module too. They must not load the app. */
function isOfSite(id: string, graph: Graph, seen = new Set<string>()): boolean {
  if (SITE.test(id)) return true
  if (seen.has(id)) return false
  seen.add(id)
  const { importers = [], dynamicImporters = [] } = graph.getModuleInfo(id) ?? {}
  return [...importers, ...dynamicImporters].some((importer) => isOfSite(importer, graph, seen))
}

/** The file of a module, or null where the bundler decides. */
export function chunkOf(id: string, graph: Graph): string | null {
  if (ENTRY.test(id) || !isOfFirstPaint(id, graph)) return null
  if (FRAMEWORK.test(id)) return 'framework'
  return isOfSite(id, graph) ? 'common' : 'start'
}
