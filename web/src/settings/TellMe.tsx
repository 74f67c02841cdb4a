import * as texts from '@deeb/texts/settings'
import { RequestEmails } from '../account/RequestEmails.tsx'
import { useHome } from '../focus/day-queries.ts'
import PushSettings from '../push/PushSettings.tsx'
import { EndSignalSettings } from '../sessions/EndSignalSettings.tsx'
import { Intro } from '../ui/Explained.tsx'
import { TellPicture } from '../ui/pictures.tsx'
import { Card } from './Card.tsx'

/** The messages of deeb to the user. */
export default function TellMe() {
  const { data: home } = useHome()
  const isAlone = home?.profile.companyDomain === null
  return (
    <>
      <Intro line={texts.tellIntro()} picture={<TellPicture />} />
      <Card title={isAlone ? texts.tellMe() : texts.aboutOthers()} isTitleShown={!isAlone}>
        <RequestEmails profile={home?.profile} />
        <PushSettings />
      </Card>
      <Card title={texts.aboutSession()} isTitleShown>
        <EndSignalSettings />
      </Card>
    </>
  )
}
