import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SIGN_PATH } from '@deeb/core/signs/display'
import type { SignState } from '@deeb/core/signs/sign'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml } from '../http/plain-text-as-html.ts'
import { Refusal } from '../refusal.ts'
import type { SignOfToken } from './read-sign.ts'

const FORM_LIMIT_BYTES = 1024

interface SignPageDeps {
  webRoot: string
  signOfToken: SignOfToken
}

/**
 * `POST /sign`: the state of a sign for a browser without script. The link comes as a form, because the fragment of a URL reaches no
 * server. The page says when it was true, and covers itself after a minute (sign.css). `app` must be a context of its own, so that no
 * other route parses form bodies.
 */
export async function signPage(app: FastifyInstance, { webRoot, signOfToken }: SignPageDeps): Promise<void> {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES },
    async (_request: FastifyRequest, body: string) => new URLSearchParams(body),
  )

  async function send(reply: FastifyReply, status: number, texts: Record<string, string>, look: SignState['state']) {
    const page = await readFile(join(webRoot, 'sign.html'), 'utf8')
    return reply
      .status(status)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(filled(page, texts, look))
  }

  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const status = error instanceof Refusal ? error.status : (error.statusCode ?? 503)
    if (status >= 500) request.log.error({ err: error, requestId: request.id }, 'sign not shown')
    const words = status === 401 ? 'this link does not work' : 'please try again in a moment'
    return send(reply, status, { words }, 'unknown')
  })

  app.post(SIGN_PATH, async (request, reply) => {
    const token = tokenOf(request)
    const { state } = await signOfToken(request, token)
    return send(reply, 200, textsOf(state, token ?? ''), state.state)
  })
}

function tokenOf({ body }: FastifyRequest): string | null {
  return body instanceof URLSearchParams ? body.get('token') : null
}

/** In UTC: the server does not know the time zone of a display. */
const timeOf = (instant: string) => `${instant.slice(11, 16)} UTC`

function textsOf({ state, name, dots, until, asOf }: SignState, token: string): Record<string, string> {
  const deep = dots?.filter((dot) => dot.state === 'deep')
  const words = { deep: 'in deeb mode', free: 'free', unknown: 'nobody is on this sign yet' }[state]
  return {
    words: dots?.length ? `${deep?.length} of ${dots.length} in deeb mode` : words,
    times: `at ${timeOf(asOf)}${until ? `, until about ${timeOf(until)}` : ''}`,
    name: dots ? dots.flatMap((dot) => (dot.name ? `${dot.name}: ${dot.state}` : [])).join(', ') : (name ?? ''),
    token,
  }
}

/** Puts texts into the elements of the built page with these ids, and the link into its form. */
function filled(page: string, { token = '', ...texts }: Record<string, string>, look: SignState['state']): string {
  let filled = page
    .replace('data-state="connecting"', `data-state="${look}" data-sent=""`)
    .replace(/(<input id="token"[^>]* value=")"/, (_, start: string) => `${start}${escapeHtml(token)}"`)
  for (const [id, text] of Object.entries(texts)) {
    filled = filled.replace(
      new RegExp(`(<(\\w+) id="${id}"[^>]*>)[^<]*(?=</\\2>)`),
      (_, start: string) => start + escapeHtml(text),
    )
  }
  return filled
}
