import * as texts from '@deeb/texts/status'
import { useEffect } from 'react'
import { useSignInInfo } from '../account/sign-in-queries.ts'
import { useProof } from '../account/use-proof.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { ScreenSkeleton, Skeleton } from '../ui/Skeleton.tsx'
import { ChatSystemSection } from './ChatSystemSection.tsx'
import { sayLinkOutcome } from './link-return.ts'
import { useStatus } from './status-queries.ts'

/** The chat systems in which the user shows deeb mode, and who sees that. */
export default function StatusInChat() {
  const { data, isError, refetch } = useStatus()
  const { withProof, proofDialog } = useProof()
  // Until it is known, a press would ask for a proof that is there.
  const { isPending: isProofUnknown } = useSignInInfo()
  useEffect(sayLinkOutcome, [])
  if (!data && isError) return <LoadFailure title={texts.loadFailed()} onRetry={() => void refetch()} />
  if (!data || isProofUnknown) return <ChatsSkeleton />
  return (
    <main className="column flex-1 pb-5">
      <p className="pt-6 text-body text-pretty">{data.systems.length > 0 ? texts.intro() : texts.noneOffered()}</p>
      {data.systems.map((chat) => (
        <ChatSystemSection key={chat.system} chat={chat} withProof={withProof} />
      ))}
      {proofDialog}
    </main>
  )
}

function ChatsSkeleton() {
  return (
    <ScreenSkeleton className="column flex-1 pb-5">
      {['first', 'second'].map((part) => (
        <div key={part} className="mt-8">
          <Skeleton shape="line" className="h-5 w-28" />
          <Skeleton shape="line" className="mt-3 h-10" />
        </div>
      ))}
    </ScreenSkeleton>
  )
}
