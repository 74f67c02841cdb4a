// The native apps for one server: `npm run native -- --server https://deeb.example.com`. Builds the web for it, writes its
// name into both projects, and hands all over to them.
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
  console.log(`\nBoth projects are for ${server.origin}. docs/mobile.md says how to build them.`)
} catch (error) {
  console.error(error.message)
  process.exit(1)
}

/** An app that is given away cannot be told later whom to call, nor should it call anybody in the clear. */
function readServer() {
  const { server = '' } = parseArgs({ options: { server: { type: 'string' } } }).values
  const url = URL.canParse(server) ? new URL(server) : null
  if (url?.protocol === 'https:' && url.href === `${url.origin}/`) return url
  throw new Error('Name the server that the apps are for: npm run native -- --server https://deeb.example.com')
}

/** Which links the system may hand to the app: see AndroidManifest.xml. */
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
