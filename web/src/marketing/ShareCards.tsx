import { directionOf } from '@deeb/core/languages'
import type { ReactNode } from 'react'
import { LANGUAGE } from '../device/language.ts'
import { Logo } from '../ui/Logo.tsx'
import { Ear } from './drawings/Ear.tsx'
import { Floor } from './drawings/Floor.tsx'
import { SixPeople } from './drawings/SixPeople.tsx'
import { ComingSoonTitle, CompaniesTitle, HomeTitle, TeamsTitle, WaitlistTitle } from './frame/titles.tsx'

/**
 * The preview pictures of shared links, 1200 by 630 px, with the title and the drawing of each page. No server serves this page:
 * `npm run share-pictures -w e2e` takes a screenshot of each card (docs/decisions/0012-share-pictures.md).
 */
export function ShareCards() {
  return (
    <html lang={LANGUAGE} dir={directionOf(LANGUAGE)}>
      <head>
        <meta charSet="utf-8" />
        <title>share cards</title>
        <link rel="stylesheet" href="/src/marketing/styles/site.css" />
        <link rel="stylesheet" href="/src/marketing/styles/share.css" />
      </head>
      <body className="site">
        <Card name="home" title={<HomeTitle />}>
          <Ear plug="in" className="share-ear" />
        </Card>
        <Card name="companies" title={<CompaniesTitle />}>
          <Floor />
        </Card>
        <Card name="teams" title={<TeamsTitle />}>
          <SixPeople />
        </Card>
        <Card name="coming-soon" title={<ComingSoonTitle />}>
          <Ear plug="in" className="share-ear" />
        </Card>
        <Card name="waitlist" title={<WaitlistTitle />} ground="on-black">
          <Ear plug="in" className="share-ear" />
        </Card>
      </body>
    </html>
  )
}

interface CardProps {
  /** The `share` of the page. */
  name: string
  title: ReactNode
  ground?: 'on-black'
  /** The drawing. */
  children: ReactNode
}

function Card({ name, title, ground, children }: CardProps) {
  return (
    <section className={`share-card ${ground ?? ''}`} id={name}>
      <Logo plugs="in" className="share-logo" />
      <h1 className="display share-title">{title}</h1>
      {children}
    </section>
  )
}
