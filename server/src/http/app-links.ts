import { APP_PATHS } from '@deeb/core/paths'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

/** The pages that mails lead to: where the app is installed, it opens them instead of the browser. */
const PATHS_OF_MAILS = [APP_PATHS.confirm, APP_PATHS.resetPassword]

/** What the two systems ask a server for before they let an app open its links. Absent where there is no such app. */
export function appLinks(app: FastifyInstance, { androidApp, iosAppId }: Config): void {
  if (androidApp) {
    const { packageName, fingerprints } = androidApp
    const target = {
      namespace: 'android_app',
      package_name: packageName,
      sha256_cert_fingerprints: fingerprints,
    }
    const statements = [{ relation: ['delegate_permission/common.handle_all_urls'], target }]
    // Which paths it opens, the app says itself, in its manifest.
    app.get('/.well-known/assetlinks.json', () => statements)
  }
  if (iosAppId) {
    const components = PATHS_OF_MAILS.map((path) => ({ '/': path }))
    const association = { applinks: { details: [{ appIDs: [iosAppId], components }] } }
    app.get('/.well-known/apple-app-site-association', () => association)
  }
}
