import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

/** The parts of V8's `.cpuprofile` that are read here. */
export interface CpuProfile {
  nodes: {
    id: number
    callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number }
    children?: number[]
  }[]
  samples: number[]
  /** Microseconds before each sample. */
  timeDeltas: number[]
}

/** The layers of a request, each with the modules that are its own. The first that matches counts. */
const LAYERS: [name: string, modules: RegExp][] = [
  ['limits', /server\/src\/limits\//],
  ['authentication', /server\/src\/(auth|tokens)\/|server\/src\/http\/(signed-in|bearer)/],
  ['publishing and streams', /server\/src\/(live|presence)\//],
  ['serialization', /fast-json-stringify|json-schema-ref-resolver/],
  ['validation', /node_modules\/(valibot|@valibot|ajv)|core\/src\//],
  ['database driver', /node_modules\/pg|server\/src\/db\//],
  ['routing and hooks', /node_modules\/(fastify|find-my-way|avvio|@fastify|pino)|server\/src\/(http|monitoring|app)/],
  ['operations', /server\/src\//],
]
const OTHERS = new Map([
  ['(program)', 'kernel and native code'],
  ['(garbage collector)', 'garbage collection'],
])
const HTTP = 'Node’s HTTP and streams'

/** The part of the busy time that each layer takes. A sample counts for the innermost of our modules, or of a package, in its stack. */
export function sharesByLayer({ nodes, samples, timeDeltas }: CpuProfile): Map<string, number> {
  const layerOf = new Map<number, string | null>()
  const mapped = createModuleOf()
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const visit = (id: number, outer: string): void => {
    const node = byId.get(id)
    if (!node) return
    const { functionName } = node.callFrame
    const layer =
      functionName === '(idle)' ? null : (OTHERS.get(functionName) ?? layerOfModule(mapped(node.callFrame)) ?? outer)
    layerOf.set(id, layer)
    for (const child of node.children ?? []) visit(child, layer ?? outer)
  }
  visit(nodes[0]?.id ?? 0, HTTP)
  const times = new Map<string, number>()
  let busy = 0
  for (const [index, id] of samples.entries()) {
    const layer = layerOf.get(id)
    if (!layer) continue
    const micros = timeDeltas[index] ?? 0
    busy += micros
    times.set(layer, (times.get(layer) ?? 0) + micros)
  }
  return new Map([...times].map(([layer, time]) => [layer, time / busy]))
}

function layerOfModule(module: string): string | undefined {
  return LAYERS.find(([, modules]) => modules.test(module))?.[0]
}

/** Finds the source module of a frame by the map of its bundle. */
function createModuleOf() {
  const maps = new Map<string, SourceMap>()
  return ({ url, lineNumber, columnNumber }: CpuProfile['nodes'][number]['callFrame']): string => {
    if (!url.startsWith('file:') || !url.endsWith('.js')) return url
    const map = maps.get(url) ?? new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')))
    maps.set(url, map)
    const entry = map.findEntry(lineNumber, columnNumber)
    return 'originalSource' in entry ? entry.originalSource : url
  }
}
