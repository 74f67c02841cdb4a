import { test as base, closing } from '../test.ts'
import { readTestConfig } from '../test-config.ts'
import { type Google, startGoogle } from './google.ts'
import { type Microsoft, startMicrosoft } from './microsoft.ts'
import { SLACK_CLIENT, type Slack, startSlack } from './slack.ts'
import { type Mattermost, startMattermost, startZulip, type Zulip } from './typed-chats.ts'

const { publicUrl } = readTestConfig({})

/** The settings of an app that is connected to a stand-in of Slack. */
export function settingsOfSlack({ origin }: Slack): NodeJS.ProcessEnv {
  return { SLACK_CLIENT_ID: SLACK_CLIENT.id, SLACK_CLIENT_SECRET: SLACK_CLIENT.secret, SLACK_URL: origin }
}

/** The test function of status in chat: stand-ins of the chat systems have the clock of the app. */
export const test = base
  .extend('slack', { scope: 'file' }, async ({ clock: { now } }, { onCleanup }): Promise<Slack> => {
    const slack = await startSlack({ now, callback: () => `${publicUrl}/api/status/callback/slack` })
    onCleanup(closing(slack))
    return slack
  })
  .extend('microsoft', { scope: 'file' }, async ({ clock: { now } }, { onCleanup }): Promise<Microsoft> => {
    const microsoft = await startMicrosoft({ now, callback: () => `${publicUrl}/api/status/callback/microsoft` })
    onCleanup(closing(microsoft))
    return microsoft
  })
  .extend('google', { scope: 'file' }, async ({ clock: { now } }, { onCleanup }): Promise<Google> => {
    const google = await startGoogle({ now, callback: () => `${publicUrl}/api/status/callback/google` })
    onCleanup(closing(google))
    return google
  })
  .extend('mattermost', { scope: 'file' }, async ({ clock: { now } }, { onCleanup }): Promise<Mattermost> => {
    const mattermost = await startMattermost({ now })
    onCleanup(closing(mattermost))
    return mattermost
  })
  .extend('zulip', { scope: 'file' }, async ({ clock: { now } }, { onCleanup }): Promise<Zulip> => {
    const zulip = await startZulip({ now })
    onCleanup(closing(zulip))
    return zulip
  })
