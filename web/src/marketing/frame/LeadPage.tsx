import type { SitePath } from '@deeb/core/paths'
import type { ComponentProps, ReactNode } from 'react'
import { Ear } from '../drawings/Ear.tsx'
import { LeadForm } from './LeadForm.tsx'
import { SitePage } from './SitePage.tsx'

interface LeadPageProps extends Omit<ComponentProps<typeof LeadForm>, 'action'> {
  title: string
  /** The text below the heading, and in search results. */
  lead: string
  /** The content before the lead on the page. A visible `data-ready` in it replaces the lead. */
  asked?: ReactNode
  /** The content above the form. */
  ready?: ReactNode
  /** The content below the form. */
  instead?: ReactNode
  path: SitePath
  /** The name of its share picture and, with `-title`, the class of its heading. */
  name: 'coming-soon' | 'waitlist'
  ground?: 'paper' | 'black'
  heading: ReactNode
}

/** A page with one form, for an email address. */
export function LeadPage({
  title,
  lead,
  asked,
  ready,
  instead,
  path,
  name,
  ground = 'paper',
  heading,
  ...form
}: LeadPageProps) {
  return (
    <SitePage
      title={title}
      description={lead}
      path={path}
      share={name}
      ground={ground}
      frame="name"
      scripts={['lead-form']}
    >
      <div className="form-page">
        <div className="page form-page-words">
          <h1 className={`display ${name}-title`}>{heading}</h1>
          <p className="form-page-lead">
            {asked}
            <span className="form-page-wait">{lead}</span>
          </p>
          {ready}
          <LeadForm action={path} {...form} />
          {instead}
        </div>
        <Ear plug="in" className="form-page-ear" />
      </div>
    </SitePage>
  )
}
