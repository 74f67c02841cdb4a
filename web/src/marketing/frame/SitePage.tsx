import { directionOf, LANGUAGES, type Language } from '@deeb/core/languages'
import { type LegalPath, ORIGIN_PLACEHOLDER, type SitePath, sitePathIn } from '@deeb/core/paths'
import * as texts from '@deeb/texts/site'
import { type ReactNode, useContext } from 'react'
import { LANGUAGE } from '../../device/language.ts'
import { BuiltFilesContext } from '../../ui/built-files.ts'
import { linkTo } from './link-to.ts'
import { SiteFooter } from './SiteFooter.tsx'
import { SiteHeader } from './SiteHeader.tsx'

interface SitePageProps {
  title: string
  /** The description in search results and previews of shared links. */
  description: string
  /** Null for the not-found page, which has no URL and is not indexed. */
  path: SitePath | LegalPath | null
  /** The picture of a shared link: public/share/<name>.png, made from ShareCards.tsx. Other languages have a folder each. */
  share?: string
  ground?: 'paper' | 'black'
  /** `full` has navigation and footer, `header` only the navigation, `name` only the logo with its link. */
  frame?: 'full' | 'header' | 'name'
  /** Scripts in addition to enhance.ts. */
  scripts?: readonly string[]
  children: ReactNode
}

const GROUND = { paper: '#f7f6f2', black: '#000000' }

/** The locale of each language in Open Graph tags. */
const OPEN_GRAPH_LOCALES: Record<Language, string> = {
  en: 'en_GB',
  de: 'de_DE',
  fr: 'fr_FR',
  es: 'es_ES',
  it: 'it_IT',
}

/** A public page from <html> to </html>. */
export function SitePage({
  title,
  description,
  path,
  share,
  ground = 'paper',
  frame = 'full',
  scripts = [],
  children,
}: SitePageProps) {
  const { urlOf, font } = useContext(BuiltFilesContext)
  return (
    <html lang={LANGUAGE} dir={directionOf(LANGUAGE)}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content={GROUND[ground]} />
        <title>{title}</title>
        <meta name="description" content={description} />
        {path === null ? <meta name="robots" content="noindex" /> : <Addresses path={path} />}
        {path && share ? <Sharing title={title} description={description} path={path} share={share} /> : null}
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/touch-icon.png" />
        <link rel="stylesheet" href={urlOf('src/marketing/styles/site.css')} />
        {font ? <link rel="preload" href={font} as="font" type="font/woff2" crossOrigin="" /> : null}
        {['enhance', ...scripts].map((name) => (
          <script key={name} type="module" src={urlOf(`src/marketing/${name}.ts`)} />
        ))}
      </head>
      <body className={ground === 'black' ? 'site on-black' : 'site'} data-toast={urlOf('src/ui/toast.ts')}>
        <a href="#content" className="skip-link">
          {texts.skipToContent()}
        </a>
        <SiteHeader path={path} withLinks={frame !== 'name'} />
        <main id="content">{children}</main>
        {frame === 'full' ? <SiteFooter path={path} /> : null}
        {path ? <p className="page small paper-only">{absolute(linkTo(path))}</p> : null}
      </body>
    </html>
  )
}

/** The address of the page, and that in every language. Search engines send readers of other languages to the English page. */
function Addresses({ path }: { path: SitePath | LegalPath }) {
  return (
    <>
      <link rel="canonical" href={absolute(linkTo(path))} />
      {LANGUAGES.map((language) => (
        <link key={language} rel="alternate" hrefLang={language} href={absolute(sitePathIn(language, path))} />
      ))}
      <link rel="alternate" hrefLang="x-default" href={absolute(path)} />
    </>
  )
}

type SharingProps = { title: string; description: string; path: SitePath | LegalPath; share: string }

/** Open Graph tags, for previews of shared links. They need absolute URLs. */
function Sharing({ title, description, path, share }: SharingProps) {
  return (
    <>
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="deeb" />
      <meta property="og:locale" content={OPEN_GRAPH_LOCALES[LANGUAGE]} />
      {LANGUAGES.filter((language) => language !== LANGUAGE).map((language) => (
        <meta key={language} property="og:locale:alternate" content={OPEN_GRAPH_LOCALES[language]} />
      ))}
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={absolute(linkTo(path))} />
      <meta property="og:image" content={absolute(`/share${sitePathIn(LANGUAGE, `/${share}`)}.png`)} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={title} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
}

function absolute(path: string): string {
  return ORIGIN_PLACEHOLDER + path
}
