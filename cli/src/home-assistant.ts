import { createHash } from 'node:crypto'
import { hostname, userInfo } from 'node:os'
import type { Scope } from '@deeb/core/scopes'
import * as texts from '@deeb/texts/cli'
import type { Login } from './api.ts'

/** Home Assistant says `online` here when it has started. */
export const HOME_ASSISTANT_STATUS = 'homeassistant/status'

/** A sensor that receives nothing for this time is unavailable. */
const EXPIRE_SECONDS = 60

/** The topics of the device: one for each person of a computer and server. */
export function topicsOf({ server }: Login) {
  const id = deviceId(server)
  return {
    config: `homeassistant/device/${id}/config`,
    available: `deeb/${id}/available`,
    state: `deeb/${id}/state`,
    set: `deeb/${id}/set`,
  }
}

/** The description of the device for the discovery of Home Assistant: what the token allows to switch and to read. */
export function deviceConfig(login: Login, version: string, scopes: readonly Scope[]) {
  const { server } = login
  const id = deviceId(server)
  const topics = topicsOf(login)
  const keyOf = (key: string) => ({ unique_id: `${id}_${key}`, value_template: `{{ value_json.${key} }}` })
  const sensor = { platform: 'sensor', expire_after: EXPIRE_SECONDS }
  // A switch cannot expire: it is unavailable with the device.
  const platform = scopes.includes('switch')
    ? { platform: 'switch', command_topic: topics.set }
    : { platform: 'binary_sensor', expire_after: EXPIRE_SECONDS }
  const minutes = { device_class: 'duration', unit_of_measurement: 'min', name: texts.brokerMinutes() }
  return {
    device: { identifiers: [id], name: `deeb (${userInfo().username})`, manufacturer: 'deeb', sw_version: version },
    origin: { name: 'deeb', sw_version: version, support_url: server },
    availability_topic: topics.available,
    state_topic: topics.state,
    components: {
      mode: { ...platform, name: texts.brokerMode(), icon: 'mdi:earbuds', ...keyOf('mode') },
      until: { ...sensor, device_class: 'timestamp', name: texts.brokerUntil(), ...keyOf('until') },
      ...(scopes.includes('read') && { minutes: { ...sensor, ...minutes, ...keyOf('minutes') } }),
    },
  }
}

function deviceId(server: string): string {
  const owner = `${server}\n${userInfo().username}\n${hostname()}`
  return `deeb_${createHash('sha256').update(owner).digest('hex').slice(0, 12)}`
}
