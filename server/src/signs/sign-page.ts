import type { Language } from '@deeb/core/languages'
import { SIGN_PATH } from '@deeb/core/signs/display'
import type { SignState } from '@deeb/core/signs/sign'
import * as texts from '@deeb/texts/signPage'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseOutage } from '../db/db.ts'
import { readBuiltPage } from '../http/built-page.ts'
import { escapeHtml } from '../http/plain-text-as-html.ts'
import { languageOf } from '../lib/language.ts'
import { Refusal } from '../lib/refusal.ts'
import type { SignOfToken } from './sign-of-request.ts'

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

  function send(
    reply: FastifyReply,
    language: Language,
    status: number,
    parts: Record<string, string>,
    look: SignState['state'],
  ) {
    const page = readBuiltPage(webRoot, language, 'sign')
    return reply
      .status(status)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(filled(page, parts, look))
  }

  app.setErrorHandler<FastifyError | DatabaseOutage>((error, request, reply) => {
    const status = error instanceof Refusal ? error.status : 'statusCode' in error ? (error.statusCode ?? 503) : 503
    if (status >= 500 && !(error instanceof DatabaseOutage))
      request.log.error({ err: error, requestId: request.id }, 'sign not shown')
    const language = languageOf(request)
    const words = (status === 401 ? texts.wrongLink : texts.tryLater)({}, { locale: language })
    return send(reply, language, status, { words }, 'unknown')
  })

  app.post(SIGN_PATH, async (request, reply) => {
    const token = tokenOf(request)
    const { state } = await signOfToken(request, token)
    const language = languageOf(request)
    return send(reply, language, 200, textsOf(state, token ?? '', language), state.state)
  })
}

function tokenOf({ body }: FastifyRequest): string | null {
  return body instanceof URLSearchParams ? body.get('token') : null
}

/** In UTC: the server does not know the time zone of a display. */
const timeOf = (instant: string) => `${instant.slice(11, 16)} UTC`

function textsOf(
  { state, name, dots, until, asOf }: SignState,
  token: string,
  language: Language,
): Record<string, string> {
  const options = { locale: language }
  const deep = dots?.filter((dot) => dot.state === 'deep').length ?? 0
  const words = { deep: texts.deep, free: texts.free, unknown: texts.nobody }[state]
  const time = timeOf(asOf)
  const people = (dots ?? []).flatMap(({ state, name }) =>
    name ? (state === 'deep' ? texts.personDeep : texts.personFree)({ name }, options) : [],
  )
  return {
    words: dots?.length ? texts.deepOf({ deep, all: dots.length }, options) : words({}, options),
    times: until ? texts.atTimeUntil({ time, until: timeOf(until) }, options) : texts.atTime({ time }, options),
    name: dots ? new Intl.ListFormat(language, { type: 'unit' }).format(people) : (name ?? ''),
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
