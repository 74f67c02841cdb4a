import type { FastifyReply, FastifyRequest } from 'fastify'
import { languageOfPage, VARY_BY_LANGUAGE } from '../lib/language.ts'
import { readBuiltPage } from './built-page.ts'
import { compress, type SendCached } from './send-cached.ts'

/** Sends the 404 page in the language of the request. */
export type SendNotFoundPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

export function createSendNotFoundPage(sendCached: SendCached, webRoot: string): SendNotFoundPage {
  return async (request, reply) => {
    const language = languageOfPage(request)
    return sendCached(request, reply, `not-found ${language}`, (encoding) => {
      const body = readBuiltPage(webRoot, language, 'not-found')
      return compress({ type: 'text/html; charset=utf-8', body, vary: VARY_BY_LANGUAGE, status: 404 }, encoding)
    })
  }
}
