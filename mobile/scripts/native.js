// Prepares the native apps for one server: `npm run native -- --server https://deeb.example.com`. Builds the web for it, writes
// its host name into both projects, and copies everything into them.
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { capacitor } from './capacitor.js'
import { buildNativeCopy } from './native-copy.js'

const MOBILE = fileURLToPath(new URL('..', import.meta.url))

try {
  const server = readServer()
  await buildNativeCopy(server.origin, `${MOBILE}www`)
  await writeFile(`${MOBILE}android/app/src/main/res/values/server.xml`, androidServer(server.hostname))
  await writeFile(`${MOBILE}ios/App/App/App.entitlements`, entitlements(server.hostname))
  capacitor(MOBILE, 'sync')
  console.log(`\nBoth projects are ready for ${server.origin}. See docs/develop/mobile.md for how to build them.`)
} catch (error) {
  console.error(error.message)
  process.exit(1)
}

/** The origin from --server. It must be https: a published app cannot change its server later, or call it unencrypted. */
function readServer() {
  const { server = '' } = parseArgs({ options: { server: { type: 'string' } } }).values
  const url = URL.canParse(server) ? new URL(server) : null
  if (url?.protocol === 'https:' && url.href === `${url.origin}/`) return url
  throw new Error('Name the https address of the server: npm run native -- --server https://deeb.example.com')
}

/** The host whose links Android may open in the app: see AndroidManifest.xml. */
function androidServer(host) {
  return `<?xml version="1.0" encoding="utf-8"?>
<resources>
    <string name="server_host" translatable="false">${host}</string>
</resources>
`
}

function entitlements(host) {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>com.apple.developer.associated-domains</key>
	<array>
		<string>applinks:${host}</string>
	</array>
</dict>
</plist>
`
}
