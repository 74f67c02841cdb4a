import { directionOf } from '@deeb/core/languages'
import { SIGN_PATH } from '@deeb/core/signs/display'
import * as texts from '@deeb/texts/signPage'
import { useContext } from 'react'
import { LANGUAGE } from '../device/language.ts'
import { BuiltFilesContext } from '../ui/built-files.ts'

/**
 * The page of a door sign, from <html> to </html>. It has no state of its own. sign-page.ts shows the one of the link; without script
 * the server fills in what `data-state`, `words`, `name`, `dots` and `token` say (server/signs/sign-page.ts).
 */
export function SignPage() {
  const { urlOf } = useContext(BuiltFilesContext)
  return (
    <html lang={LANGUAGE} dir={directionOf(LANGUAGE)} data-state="connecting">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{texts.title()}</title>
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href={urlOf('src/signs/sign.css')} />
        <script type="module" src={urlOf('src/signs/sign-page.ts')} />
      </head>
      <body>
        <main className="sign">
          <div className="plug" aria-hidden="true" />
          <ul id="dots" />
          <div role="status">
            <h1 id="words">{texts.noState()}</h1>
          </div>
          <p id="times" />
          <p id="name" />
        </main>
        <noscript>
          <form method="post" action={SIGN_PATH} className="ask">
            <p>{texts.noScript()}</p>
            <label htmlFor="token">{texts.linkOfSign()}</label>
            <input id="token" name="token" required maxLength={200} autoComplete="off" defaultValue="" />
            <button type="submit">{texts.showNow()}</button>
          </form>
        </noscript>
        <p className="outdated">{texts.outdated()}</p>
        <button id="full-screen" type="button" hidden>
          {texts.fullScreen()}
        </button>
      </body>
    </html>
  )
}
