import { APP_PATHS } from '@deeb/core/paths'
import * as texts from '@deeb/texts/status'
import { useEffect } from 'react'
import { Redirect } from 'wouter'
import { useSignInInfo } from '../account/sign-in-queries.ts'
import { ListState } from '../account/sign-in-settings/ListState.tsx'
import { useProof } from '../account/use-proof.tsx'
import { Explained } from '../ui/Explained.tsx'
import { ChatPicture } from '../ui/pictures.tsx'
import { ChatSystemSection } from './ChatSystemSection.tsx'
import { sayLinkOutcome } from './link-return.ts'
import { useStatus } from './status-queries.ts'

/** The chat systems in which the user shows deeb mode, and who sees that. */
export default function StatusInChat() {
  const status = useStatus()
  const { data } = status
  const { withProof, proofDialog } = useProof()
  // Until it is known, a press would ask for a proof that is there.
  const { isPending: isProofUnknown } = useSignInInfo()
  useEffect(sayLinkOutcome, [])
  if (data?.systems.length === 0) return <Redirect to={APP_PATHS.settings} replace />
  const read = isProofUnknown ? { ...status, data: undefined } : status
  return (
    <Explained line={texts.intro()} picture={<ChatPicture />} safe={[texts.notUntilConnected(), texts.whatIsKept()]}>
      <ListState read={read} />
      {read.data?.systems.map((chat) => (
        <ChatSystemSection key={chat.system} chat={chat} withProof={withProof} />
      ))}
      {proofDialog}
    </Explained>
  )
}
