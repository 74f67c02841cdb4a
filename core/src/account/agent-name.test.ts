import { expect, it } from 'vitest'
import { agentName } from './agent-name.ts'

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)'
const ANDROID = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko)'
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'

it.each([
  [`${WINDOWS} AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [`${WINDOWS} AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0`, 'Edge on Windows'],
  [`${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15`, 'Safari on Mac'],
  [`${MAC} AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 OPR/120.0`, 'Opera on Mac'],
  [`${IPHONE} AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1`, 'Chrome on iPhone'],
  [`${ANDROID} SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36`, 'Samsung Internet on Android'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  ['curl/8.0', 'Browser'],
  [null, 'Browser'],
])('a browser with the agent %s is named %s', (agent, name) => {
  expect(agentName(agent, true)).toBe(name)
})

it.each([
  [`${ANDROID} Version/4.0 Chrome/140.0 Mobile Safari/537.36`, 'deeb app on Android'],
  [`${IPHONE} AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148`, 'deeb app on iPhone'],
  ['curl/8.0', 'Another program'],
  [null, 'Another program'],
])('another program with the agent %s is named %s', (agent, name) => {
  expect(agentName(agent, false)).toBe(name)
})
