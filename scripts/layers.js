// The layers of each package, lowest first. A room imports rooms of lower layers only, and no other room of its own layer. A room is a
// folder of src with its subfolders, or a file directly in src. Type imports count. dependency-cruiser checks it in `npm run check`.
//   depcruise --config scripts/layers.js core/src server/src web/src cli/src extension/src bench/src

const LAYERS = {
  core: [
    'languages.ts scopes.ts errors.ts formats.ts client-version.ts settings-parts.ts link-secret.ts',
    'endpoint.ts paths.ts date-text.ts',
    'account calendar cases focus push visitors webhooks',
    'goals presence sessions stats status tokens',
    'app-pages.ts home live-events.ts report signs team',
    'alerts circles invitations',
  ],
  server: [
    'lib outside jobs folders.ts',
    'config limits version.ts',
    'db',
    'backup mail profile retention',
    'auth',
    'http presence',
    'goals live push report tokens visitors webhooks',
    'focus monitoring quiet',
    'alerts cases invitations scim sessions stats status team',
    'account calendar circles home',
    'admin reminders signs',
    'app.ts cli.ts',
    'start',
    'demo main.ts',
  ],
  web: [
    'ui',
    'device',
    'marketing session',
    'calls',
    'focus native push',
    'frame shortcuts',
    'sessions',
    'goals stats team',
    'cache live quiet report',
    'service-worker',
    'language',
    'account',
    'calendar cases circles home lamp signs status tokens webhooks',
    'settings OnEveryScreen.tsx static-pages.tsx',
    'routes.tsx',
    'main.tsx',
  ],
  extension: [
    'elements.ts language.ts messages.ts server.ts storage.ts',
    'connect.ts icon.ts nudge.ts quiet-list.ts',
    'background.ts connected.ts nudge-popup.ts page.ts quiet.ts',
  ],
}

/** Test code may import every room. */
const TESTS = String.raw`\.test\.tsx?$|/testing/|/fault-injection/`
const NOUNS =
  'account|alerts|calendar|cases|circles|focus|goals|home|invitations|presence|profile|push|quiet|report|scim|sessions|signs|stats|status|team|tokens|visitors|webhooks'

const RULES = [
  forbid('An import leads back to its own file.', {}, { circular: true }),
  forbid(
    'The product imports no test code.',
    { path: '^(core|server|web|cli|extension)/', pathNot: TESTS },
    { path: TESTS },
  ),
  ...Object.entries(LAYERS).flatMap(([name, layers]) => rulesOf(name, layers)),
  forbid(
    'core is pure: it imports the validator and texts alone.',
    { path: '^core/src/', pathNot: TESTS },
    { pathNot: '^(core/src/|texts/|@deeb/texts/)|/valibot/' },
  ),
  forbid(
    'Operations know nothing of HTTP: their routes do.',
    {
      path: `^server/src/(${NOUNS}|admin)/`,
      pathNot: `/(routes|[\\w-]+-page|serve-[\\w-]+|sign-of-request)\\.ts$|${TESTS}`,
    },
    { path: '^server/src/http/|/fastify/' },
  ),
  forbid(
    'A screen belongs to the routes: no other room imports it.',
    { path: '^web/src/([^/]+)/', pathNot: `^web/src/settings/|${TESTS}` },
    { path: String.raw`^web/src/[^/]+/\w+Screen\.tsx$`, pathNot: '^web/src/$1/' },
  ),
  forbid('ui knows none of the nouns.', { path: '^web/src/ui/', pathNot: TESTS }, { path: '^core/' }),
  forbid(
    'The public pages import core, ui and the language, nothing else of the app.',
    { path: '^web/src/marketing/', pathNot: TESTS },
    { path: '^web/src/(?!marketing/|ui/|device/language)' },
  ),
]

export default {
  forbidden: RULES,
  options: { tsPreCompilationDeps: true, doNotFollow: { path: 'node_modules' } },
}

/** The rules of one package: a room for each layer above, and none that is in no layer. */
function rulesOf(name, layers) {
  const rooms = layers.map((layer) => layer.split(' '))
  const pathOf = (room) => (room.includes('.') ? room.replace('.', '\\.') : `${room}/`)
  const inRooms = (list) => `^${name}/src/(${list.map(pathOf).join('|')})`
  const unlisted = { path: `^${name}/src/`, pathNot: `${inRooms(rooms.flat())}|${TESTS}` }
  return [
    forbid(`A room of ${name} is in no layer.`, unlisted, {}),
    ...rooms.map((layer, index) =>
      forbid(
        `${layer.join(', ')} of ${name} may import lower layers only.`,
        { path: inRooms(layer), pathNot: TESTS },
        { path: inRooms(rooms.slice(index).flat()), pathNot: '^[^/]+/src/$1' },
      ),
    ),
  ]
}

function forbid(name, from, to) {
  return { name, severity: 'error', from, to }
}
