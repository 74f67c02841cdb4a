// The word list of scripts/words.js: words that this codebase does not use, and the standard term for each.
// A space in a pattern also matches a line break, with the comment mark of the next line.

import { readdirSync } from 'node:fs'

/**
 * `find` matches the word and `use` names the term to write instead. `within` limits an entry to paths with these prefixes.
 * `allowed` maps path prefixes where the word is correct to the reason.
 */
export const DIALECT = [
  // Old or ambiguous words
  { find: /\b(whoever|whosoever|whomever)\b/i, use: 'anyone who, or a role: the requester' },
  { find: /\banew\b/i, use: 'again, a new ...' },
  { find: /\bmeanwhile\b/i, use: 'since then, concurrently' },
  { find: /\bat once\b|\bat-once\b|(?<![a-z])atOnce\b|_AT_ONCE\b/i, use: 'immediately, concurrently' },
  { find: /\bbe it\b/i, use: 'whether ... or ...' },
  { find: /\b(gives?|gave|given|giving)( \w+){0,2} back\b|giveBack/i, use: 'return, restore, refund' },
  { find: /\bmend(s|ed|ing)?\b/i, use: 'fix, repair' },
  { find: /\b(take|takes|took|taken|taking)( no| its| their)? leave\b/i, use: 'close, disconnect' },
  { find: /\bas far as\b/i, use: 'if, up to' },
  { find: /\bof (which|whom)\b/i, use: 'a second sentence' },
  { find: /\bby now\b/i, use: 'already, now' },
  { find: /\bnot told\b/i, use: 'not notified, not published' },
  { find: /\be-mails?\b|\beemail/i, use: 'email' },
  { find: /\b(the|a) (min|max)\b(?! ?[-(:,`])/i, use: 'minimum, maximum' },
  { find: /\bfor ever\b/i, use: 'forever, indefinitely' },
  { find: /\bfor good\b/i, use: 'permanently' },
  { find: /\bin vain\b/i, use: 'without effect' },
  { find: /\b(can|cannot|could|to) be had\b/i, use: 'is available' },
  { find: /\bthe own\b/i, use: "your own, the user's" },
  { find: /\bshall\b/i, use: 'must, should, will' },
  { find: /\b(most looks|at the most)\b/i, use: 'at most' },
  { find: /\bno more(?=[.,;:)'])/i, use: 'no longer' },
  { find: /\bgot round to\b/i, use: 'not yet' },
  { find: /\bgoes on\b/i, use: 'continues' },
  { find: /\bon (its|their|the) way\b/i, use: 'in flight, pending' },
  { find: /\bmoment (in|at) which\b/i, use: 'when' },
  { find: /\b(puts?|putting) right\b/i, use: 'correct, repair' },
  { find: /\bwhat became of\b|\bhow it became\b/i, use: 'the result of' },
  { find: /\bif nothing is said\b/i, use: 'by default' },
  { find: /\b(to be said|is said (to|so|in))\b/i, use: 'reported, shown, announced to screen readers' },
  { find: /\bin hearing\b/i, use: 'while disconnected' },
  {
    find: /\b(says|say|said|refuses|refused|refuse|\d{3})( \S+){0,3} in words\b/i,
    use: 'with an error message, as text',
  },

  // Verbs that stand for "is", and relative clauses without a noun
  { find: /\b(lies|lie|lying|lain)\b/i, use: 'is, is stored, is between' },
  {
    find: /\bstands? (at|in(?! for)|on|before|beside|behind|here|there|over|between|under|above|below|where|first|last|twice)\b/i,
    use: 'is, is shown, comes',
  },
  { find: /\bcan bear\b/i, use: 'overload' },
  { find: /\b(one|process) comes to\b/i, use: 'opens, reaches, is created' },
  { find: /\bthat comes (late|later|again|back|in between)\b/i, use: 'late, next, new' },
  {
    find: /\b(for|of|to|by|from|with) who\b(?!-| (its|is connected with)\b)/i,
    use: 'for users who, for the requester',
  },
  {
    find: /(?<=['".:;*] )who (asks?|is asked|is no)\b|['"]who (asks|is|was|has|heard|signed)\b/i,
    use: 'a user who, the requester',
  },
  { find: /\bwho calls\b/i, use: 'the caller, the principal' },
  { find: /\bthe one (that|who|which)\b/i, use: 'its noun' },
  { find: /\bwhat is no\b/i, use: 'anything that is not a' },
  { find: /\bwhat waits\b/i, use: 'the pending changes' },
  {
    find: /\b(goes? on|waits?|begun|figure|held|stands?) beside\b|\bbeside (its|the) (goals?|peer)\b/i,
    use: 'next to, concurrently with, compared with',
  },

  // Descriptions of a concept that has a name
  { find: /\b(may|can) be (repeated|told again|called again)\b/i, use: 'idempotent' },
  { find: /\b(forgets?|forgot|forgetting) (what|those|whatever)\b/i, use: 'evict, LRU' },
  { find: /bounded-?map/i, use: 'LruMap' },
  { find: /\bever (less|more) often\b/i, use: 'exponential backoff' },
  { find: /\bscattered\b/i, use: 'jitter' },
  { find: /\bslots\.ts\b|createSlots|\binSlot\b|\bSLOTS\b/, use: 'createSemaphore, semaphore' },
  { find: /(?<![a-z])inTurn\b|\bin-turn\b/i, use: 'serialize' },
  { find: /\b(take|takes|took|taken|taking|by|in) turns\b/i, use: 'serialized, alternating' },
  { find: /lookAgainUntilSeen|look-again-until-seen/i, use: 'retryUntilVisible' },
  { find: /(?<![a-z])askAgain\b|\bask-again\b/i, use: 'refetch' },
  { find: /useStillAfterRemoval|still-after-removal/i, use: 'useTapGuard' },
  { find: /prefersStillness|prefers-stillness/i, use: 'prefersReducedMotion' },
  { find: /\bpacemaker\b/i, use: 'Clock' },
  { find: /speakDialect|\bdoor\/dialect\b/i, use: 'goTrueErrors' },
  { find: /\bdoors?\b(?! sign)|(?<=[/.])door\//i, use: 'http, endpoint' },
  { find: /mortal-?pglite/i, use: 'CrashAwarePGlite' },
  { find: /keepOpen\b|\bkeep-open\b/i, use: 'reopening-database' },
  { find: /\bkept\/|\bkept-reads\b|keptReads|KeptPerson/, use: 'persisted-cache' },
  { find: /\binstalled\/|src\/installed\b/, use: 'service-worker' },
  { find: /personHere\b/, use: 'currentUser' },
  { find: /\b(HERE|STRANGERS)\b/, use: 'PER_IP, PER_ACCOUNT' },
  { find: /\b(Tally|Counters)\b|createCounters|createSharedCounters/, use: 'RateLimitStore, FailureCounter' },
  { find: /\bHolder\b|\bholder\b|\bholderOf\b/, use: 'principal' },
  { find: /\bstanding\b/i, use: 'status, existing' },
  { find: /\bSettlement\b/, use: 'BatchResult' },
  {
    find: /\bMOST_[A-Z]|(?<![a-z])most(Bytes|Seconds|StartMs|Megabytes|Microseconds|[A-Z][a-z]+Ms)\b/,
    use: 'MAX_, max',
  },
  { find: /\bqueries: QueryClient\b/, use: 'queryClient: QueryClient' },
  { find: /\baddress(es)? (that )?nobody has\b/i, use: 'unknown, user enumeration' },
  { find: /\bin the same time\b/i, use: 'constant time, timing attack' },

  // Events: published, subscribed to, received
  {
    find: /\b(is|are|was|were|been|be|being|gets?|everybody|nobody|somebody) told\b(?! apart)/i,
    use: 'published, sent, notified, reported',
  },
  { find: /\btold( \w+)? (late|later|again|once|alone|of)\b|\btold\(/i, use: 'replayed, reported, published' },
  { find: /\b(tell|tells|telling) of\b/i, use: 'reveal, report' },
  {
    find: /\btells? (the |its |their |all |every )?(hub|streams?|subscribers?|devices?|tabs|others|everybody|workers?|servers?)\b/i,
    use: 'publish to, notify',
  },
  {
    find: /\bnews\b|\breadNews\b/i,
    use: 'change event',
    allowed: {
      'core/src/account/company': 'a mailbox name',
      'server/src/profile/companies.test.ts': 'a mailbox name',
    },
  },
  { find: /(?<![a-z])(hear|hears|heard|hearers?|hearing)(?![a-z])/i, use: 'receive, listener, onEvent' },
  {
    find: /announc(e|es|ed|er|ing|ements?)\b/i,
    use: 'publish, event',
    within: ['server/', 'core/', 'bench/', 'docs/', 'scripts/', 'ARCHITECTURE.md', 'CONTRIBUTING.md'],
    allowed: {
      'core/src/account/company': 'a mailbox name',
      'docs/accessibility.md': 'what screen readers do',
      'server/src/profile/companies.test.ts': 'a mailbox name',
    },
  },
  {
    find: /(?<![a-z])letters?\b|nextLetter/i,
    use: 'batch',
    within: ['web/src/focus/queue/', 'server/src/focus/offline-devices', 'docs/decisions/0013'],
  },
  { find: /\bin the post\b/i, use: 'in the outbox, in flight' },
  { find: /\bmails\b|\bmail's\b/i, use: "emails, email's" },
  {
    find: /\b(a|an|each|every|this|one|another|second|next|first|last|the|her|his|our|your) mail\b(?![-/.]| (server|client|domain|provider|host|app|program|folder|budget|system|is taken))/i,
    use: 'email',
  },

  // Kinds of tests, and the parts that run a server
  { find: /sabotag(e|es|ed)/i, use: 'mutation test, npm run test:mutation' },
  { find: /torture/i, use: 'soak test, npm run test:soak' },
  { find: /\bfaults\/|src\/faults\b/i, use: 'fault-injection/' },
  { find: /operator/i, use: 'administrator, admin' },
  { find: /npm run deeb\b|scripts\/deeb\.js/i, use: 'npm run admin' },
  { find: /\boperations\/|src\/operations\b/, use: 'monitoring/' },
  { find: /upkeep/i, use: 'maintenance (database), retention (clean-up)' },

  // Screens
  { find: /\bwaits? to be sent\b/i, use: 'waiting to sync' },
]

const TRANSLATIONS = readdirSync(new URL('../texts/messages', import.meta.url)).filter((language) => language !== 'en')

/** Prefixes of paths that are not checked. */
export const EXEMPT_PATHS = {
  'scripts/dialect.js': 'this list',
  'web/src/marketing/': 'the public pages keep their own voice',
  'texts/messages/en/site.json': 'the public pages keep their own voice',
  'server/data/': 'vendored lists',
  'bench/results/': 'generated by npm run bench',
  'server/migrations/': 'a migration is never edited',
  'server/src/testing/fixtures/': 'data of earlier versions',
  'mobile/android/': 'generated by Capacitor',
  'mobile/ios/': 'generated by Capacitor',
  'package-lock.json': 'generated by npm',
  'docs/licences.md': 'generated by scripts/licences.js',
  'docs/de/': 'German',
  'docs/languages.md': 'a glossary of all languages',
  ...Object.fromEntries(TRANSLATIONS.map((language) => [`texts/messages/${language}/`, 'a translation'])),
  'server/src/admin/data-german.ts': 'German',
  LICENSE: 'a legal text',
}

/** Exact phrases that are correct: texts of the specification, stored values and names on the wire. */
export const EXEMPT_PHRASES = [
  { phrase: '`npm run deeb -- ...`', reason: 'names the new command', within: ['CHANGELOG.md'] },
  { phrase: '`npm run torture`', reason: 'names the new command', within: ['CHANGELOG.md'] },
  { phrase: '`npm run sabotage`', reason: 'names the new command', within: ['CHANGELOG.md'] },
  { phrase: '`deeb`, `torture` and `sabotage`', reason: 'names the new commands', within: ['CHANGELOG.md'] },
  { phrase: '/outbox/mails', reason: 'a route' },
  { phrase: 'Your session goes on.', reason: 'a text of the product' },
  { phrase: 'Nobody is told.', reason: 'a text of the product' },
  { phrase: 'nobody is told when you leave', reason: 'a text of the product' },
  { phrase: 'is not told.', reason: 'a text of the product' },
  { phrase: 'They are not told.', reason: 'a text of the product' },
  { phrase: 'whoever runs this server can read its database', reason: 'a text of the product' },
  { phrase: "'operator key'", reason: 'a label of a derived key' },
  { phrase: "'deeb.kept-reads'", reason: 'a key of the local storage' },
]

/** The terms of the field that `--terms` counts. */
export const GLOSSARY = `
idempotent, LRU, token bucket, exponential backoff, jitter, semaphore, mutex, single-flight, debounce, optimistic, stale, refetch,
replay, conflict, enumeration, timing attack, constant-time, brute force, credential stuffing, CSRF, replay attack,
session fixation, soft delete, tombstone, retention, purge, publish, subscribe, fan-out, heartbeat, backpressure, at-least-once,
outbox, principal, access token, refresh token, rotation, revocation, migration, constraint violation, advisory lock, row lock,
prepared statement, connection pool, pipelining, graceful shutdown, liveness, readiness, load shedding, circuit breaker,
crash recovery, service worker, precache, fuzz test, property test, fault injection, soak test, mutation test, load test,
benchmark, monitoring, maintenance`
  .split(',')
  .map((term) => term.trim())
