import { TAP_PATH } from '@deeb/core/cases/case'
import { APP_PATHS } from '@deeb/core/paths'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'

/** The pages that emails, sign-in pages of companies, links of circles and cases lead to. An installed native app opens them instead of the browser. */
const LINKED_PATHS = [
  APP_PATHS.confirm,
  APP_PATHS.resetPassword,
  APP_PATHS.companySignIn,
  APP_PATHS.circle,
  APP_PATHS.invite,
  TAP_PATH,
]

/** The files by which Android and iOS verify that an app may open this server's links. Absent without such an app. */
export function appLinks(app: FastifyInstance, { androidApp, iosAppId }: Config): void {
  if (androidApp) {
    const { packageName, fingerprints } = androidApp
    const target = {
      namespace: 'android_app',
      package_name: packageName,
      sha256_cert_fingerprints: fingerprints,
    }
    const statements = [{ relation: ['delegate_permission/common.handle_all_urls'], target }]
    // The app's manifest lists the paths that it opens.
    app.get('/.well-known/assetlinks.json', () => statements)
  }
  if (iosAppId) {
    const components = LINKED_PATHS.map((path) => ({ '/': path }))
    const association = { applinks: { details: [{ appIDs: [iosAppId], components }] } }
    app.get('/.well-known/apple-app-site-association', () => association)
  }
}
