import { LEGAL_PATHS, sitePathIn } from '@deeb/core/paths'
import * as texts from '@deeb/texts/signIn'
import { LANGUAGE } from '../device/language.ts'
import { IS_NATIVE } from '../device/platform.ts'
import { TextLink } from '../ui/TextLink.tsx'

/** A native app has no public pages. */
export function PrivacyLink() {
  if (IS_NATIVE) return null
  return (
    <p className="mt-4">
      <TextLink href={sitePathIn(LANGUAGE, LEGAL_PATHS.privacy)} tone="soft">
        {texts.privacyNotice()}
      </TextLink>
    </p>
  )
}
