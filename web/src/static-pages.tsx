import { renderToStaticMarkup } from 'react-dom/server'
import { ComingSoonPage } from './marketing/ComingSoonPage.tsx'
import { CompaniesPage } from './marketing/CompaniesPage.tsx'
import { HomePage } from './marketing/HomePage.tsx'
import { ImprintPage } from './marketing/ImprintPage.tsx'
import { NotFoundPage } from './marketing/NotFoundPage.tsx'
import { PrivacyPage } from './marketing/PrivacyPage.tsx'
import { ShareCards } from './marketing/ShareCards.tsx'
import { TeamsPage } from './marketing/TeamsPage.tsx'
import { TermsPage } from './marketing/TermsPage.tsx'
import { UnsubscribePage } from './marketing/UnsubscribePage.tsx'
import { WaitlistPage } from './marketing/WaitlistPage.tsx'
import { SignPage } from './signs/SignPage.tsx'
import { type BuiltFiles, BuiltFilesContext } from './ui/built-files.ts'

/** The static pages by the name of their file. Their components run in Node only. */
const PAGES = {
  index: HomePage,
  companiesLP4358: CompaniesPage,
  teamsLP678: TeamsPage,
  'coming-soon': ComingSoonPage,
  waitlist: WaitlistPage,
  privacy: PrivacyPage,
  terms: TermsPage,
  imprint: ImprintPage,
  unsubscribe: UnsubscribePage,
  sign: SignPage,
  'not-found': NotFoundPage,
  'share-cards': ShareCards,
}

/** No server has it: its pictures are taken on the dev server. */
const OF_DEV_SERVER = 'share-cards'

export const BUILT_PAGES = Object.keys(PAGES).filter((name) => name !== OF_DEV_SERVER)

/** The HTML of a page, with the files of a build, else those of the dev server. */
export function htmlOf(name: string, files?: BuiltFiles): string {
  const Page = PAGES[name as keyof typeof PAGES]
  const page = files ? (
    <BuiltFilesContext value={files}>
      <Page />
    </BuiltFilesContext>
  ) : (
    <Page />
  )
  return `<!doctype html>\n${renderToStaticMarkup(page)}`
}
