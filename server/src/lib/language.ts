import { isLanguage, LANGUAGE_COOKIE, LANGUAGE_QUERY, LANGUAGES, type Language } from '@deeb/core/languages'
import { siteLanguageOf } from '@deeb/core/paths'
import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'

/** The headers of a response that depends on `languageOf`. */
export const VARY_BY_LANGUAGE = 'Accept-Language, Cookie'

/** Browsers send fewer. Parsing a header of 15 kB would take milliseconds. */
const ACCEPT_LANGUAGE_CHARACTERS = 256

/** The language of a request: that of its link (`?language=de`), else that of the cookie, else that of the browser. */
export function languageOf({ query, headers }: Pick<FastifyRequest, 'query' | 'headers'>): Language {
  const asked = (query as Record<string, unknown> | undefined)?.[LANGUAGE_QUERY]
  if (isLanguage(asked)) return asked
  const chosen = headers.cookie?.split(';').map((pair) => pair.trim().split('='))
  const [, cookie] = chosen?.find(([name]) => name === LANGUAGE_COOKIE) ?? []
  if (isLanguage(cookie)) return cookie
  const accepted = headers['accept-language']?.slice(0, ACCEPT_LANGUAGE_CHARACTERS)
  const [preferred] = new Negotiator({ headers: { 'accept-language': accepted } }).languages([...LANGUAGES])
  return isLanguage(preferred) ? preferred : 'en'
}

/** The language of a public page that has no path of its own: that of the path that was asked for, else `languageOf`. */
export function languageOfPage(request: Pick<FastifyRequest, 'url' | 'query' | 'headers'>): Language {
  const ofPath = siteLanguageOf(request.url)
  return ofPath === 'en' ? languageOf(request) : ofPath
}
