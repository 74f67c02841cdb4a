import { SIGN_PATH } from '@deeb/core/signs/display'

/**
 * The page of a door sign, from <html> to </html>. It has no state of its own. sign-page.ts shows the one of the link; without script
 * the server fills in what `data-state`, `words`, `name`, `dots` and `token` say (server/signs/sign-page.ts).
 */
export function SignPage() {
  return (
    <html lang="en" data-state="connecting">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>deeb sign</title>
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/src/signs/sign.css" />
        <script type="module" src="/src/signs/sign-page.ts" />
      </head>
      <body>
        <main className="sign">
          <div className="plug" aria-hidden="true" />
          <ul id="dots" />
          <div role="status">
            <h1 id="words">no state yet</h1>
          </div>
          <p id="times" />
          <p id="name" />
        </main>
        <noscript>
          <form method="post" action={SIGN_PATH} className="ask">
            <p>This browser runs no script, so the sign cannot follow by itself.</p>
            <label htmlFor="token">Link of the sign</label>
            <input id="token" name="token" required maxLength={200} autoComplete="off" defaultValue="" />
            <button type="submit">Show the state now</button>
          </form>
        </noscript>
        <p className="outdated">This is no longer up to date.</p>
        <button id="full-screen" type="button" hidden>
          Full screen
        </button>
      </body>
    </html>
  )
}
