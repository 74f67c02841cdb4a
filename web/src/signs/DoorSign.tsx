import type { OutputOf } from '@deeb/core/endpoint'
import type { OwnSign, readSigns, SignCircle } from '@deeb/core/signs/api'
import { MAX_SIGNS } from '@deeb/core/signs/sign'
import { useState } from 'react'
import { useSignInInfo } from '../account/sign-in-queries.ts'
import { ListState } from '../account/sign-in-settings/ListState.tsx'
import { Row, Section } from '../account/sign-in-settings/Section.tsx'
import { useProof } from '../account/use-proof.tsx'
import { dateText } from '../local-time.ts'
import { serverNow } from '../server-clock.ts'
import { Button } from '../ui/Button.tsx'
import { FormDialog } from '../ui/FormDialog.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { AgreementDialog } from './AgreementDialog.tsx'
import { NewSignDialog } from './NewSignDialog.tsx'
import { SignLinkDialog } from './SignLinkDialog.tsx'
import { useCreateSign, useRevokeSign, useSigns } from './signs-queries.ts'

type Signs = OutputOf<typeof readSigns>

/** What is open above the screen. */
type Open =
  | { dialog: 'new'; circle?: SignCircle }
  | { dialog: 'link'; token: string }
  | { dialog: 'revoke'; sign: { id: string; label: string } }
  | { dialog: 'agree'; circle: SignCircle }

/** The signs of the user, and those of the circles of the user. */
export default function DoorSign() {
  const read = useSigns()
  // useProof() reads it from the cache.
  useSignInInfo()
  const { withProof, proofDialog } = useProof()
  const create = useCreateSign()
  const revoke = useRevokeSign()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  return (
    <main className="column flex-1 pb-5">
      <p className="pt-8 text-body text-pretty text-soft">
        A page for a tablet or a spare phone outside your room. It is black with a green plug while you are in deeb
        mode, white while you are free, and grey when it has no connection. Everybody who passes by, and anyone who has
        the link, sees it without signing in.
      </p>
      <OwnSigns read={read} onOpen={setOpen} />
      <CircleSigns circles={read.data?.circles ?? []} onOpen={setOpen} />
      <p className="pt-8 text-note text-pretty text-soft">
        All your signs end when you sign out everywhere, set a new password or change your email address: somebody else
        may have made one. Make new links then. A sign that no display has read for a year ends too.
      </p>
      {open?.dialog === 'new' ? (
        <NewSignDialog
          circle={open.circle}
          onCreate={async (sign) => {
            const created = await withProof(() => create(sign))
            if (typeof created !== 'object') return false
            setOpen({ dialog: 'link', token: created.token })
            return true
          }}
          onClose={() => setOpen((now) => (now?.dialog === 'new' ? undefined : now))}
        />
      ) : null}
      {open?.dialog === 'link' ? <SignLinkDialog token={open.token} onClose={close} /> : null}
      {open?.dialog === 'revoke' ? (
        <FormDialog
          title={`Revoke ${open.sign.label}?`}
          description="Its link stops working on every display. You cannot undo this, but you can make a new one."
          action="Revoke sign"
          kind="destructive"
          onSubmit={() => revoke(open.sign.id)}
          onClose={close}
        />
      ) : null}
      {open?.dialog === 'agree' ? <AgreementDialog circle={open.circle} onClose={close} /> : null}
      {proofDialog}
    </main>
  )
}

interface OwnSignsProps {
  read: { data: Signs | undefined; isError: boolean; isPending: boolean; refetch: () => unknown }
  onOpen: (open: Open) => void
}

function OwnSigns({ read, onOpen }: OwnSignsProps) {
  const signs = read.data?.signs ?? []
  return (
    <Section title="Your signs">
      <ListState read={read} />
      <ul>
        {signs.map((sign) => (
          <Row key={sign.id} name={sign.label} note={`${showsText(sign)}, ${seenText(sign.lastSeenAt)}`}>
            <RevokeButton sign={sign} onOpen={onOpen} />
          </Row>
        ))}
      </ul>
      {!read.data ? null : signs.length < MAX_SIGNS ? (
        <p className="mt-3">
          <Button kind="secondary" size="list" onClick={() => onOpen({ dialog: 'new' })}>
            Make a sign
          </Button>
        </p>
      ) : (
        <p className="mt-3 text-note text-soft">You have {MAX_SIGNS} signs, the maximum.</p>
      )}
    </Section>
  )
}

function RevokeButton({ sign, onOpen }: { sign: { id: string; label: string }; onOpen: (open: Open) => void }) {
  return (
    <TextButton
      tone="destructive"
      aria-label={`Revoke ${sign.label}`}
      onClick={() => onOpen({ dialog: 'revoke', sign })}
    >
      Revoke
    </TextButton>
  )
}

function CircleSigns({ circles, onOpen }: { circles: SignCircle[]; onOpen: (open: Open) => void }) {
  if (circles.length === 0) return null
  return (
    <Section
      title="Signs of your circles"
      note="One dot for each member who agreed. Nobody is on a sign until they agree themselves. The keeper of a circle makes its sign and can revoke it."
    >
      <ul>
        {circles.map((circle) => (
          <Row key={circle.circleId} name={circle.name} note={circleText(circle)}>
            {circle.sign ? (
              <>
                <TextButton
                  aria-label={`Change what the sign of ${circle.name} shows of you`}
                  onClick={() => onOpen({ dialog: 'agree', circle })}
                >
                  Change
                </TextButton>
                {circle.isKeeper ? <RevokeButton sign={circle.sign} onOpen={onOpen} /> : null}
              </>
            ) : circle.isKeeper ? (
              <TextButton
                aria-label={`Make a sign of ${circle.name}`}
                onClick={() => onOpen({ dialog: 'new', circle })}
              >
                Make a sign
              </TextButton>
            ) : null}
          </Row>
        ))}
      </ul>
    </Section>
  )
}

const MINE = {
  nothing: 'You are not on it',
  dot: 'You are on it as a dot',
  name: 'You are on it, with your name if all others agreed to theirs',
}

function circleText({ sign, isKeeper }: SignCircle): string {
  if (!sign) return isKeeper ? 'No sign' : 'No sign. Its keeper can make one.'
  const count = sign.agreed === 1 ? '1 member on it' : `${sign.agreed} members on it`
  return `${sign.label}: ${count}, ${seenText(sign.lastSeenAt)}. ${MINE[sign.mine]}.`
}

function showsText({ showsName, showsUntil }: OwnSign): string {
  if (showsName) return showsUntil ? 'State, name and times' : 'State and name'
  return showsUntil ? 'State and times' : 'State only'
}

function seenText(lastSeenAt: string | null): string {
  if (!lastSeenAt) return 'never seen'
  const day = dateText(new Date(lastSeenAt))
  return `last seen ${day === dateText(serverNow()) ? 'today' : day}`
}
