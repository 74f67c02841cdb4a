import type { OutputOf } from '@deeb/core/endpoint'
import type { OwnSign, readSigns, SignCircle } from '@deeb/core/signs/api'
import { MAX_SIGNS } from '@deeb/core/signs/sign'
import * as texts from '@deeb/texts/signs'
import { useState } from 'react'
import { useSignInInfo } from '../account/sign-in-queries.ts'
import { ListState } from '../account/sign-in-settings/ListState.tsx'
import { Row, Section } from '../account/sign-in-settings/Section.tsx'
import { useProof } from '../account/use-proof.tsx'
import { serverNow } from '../calls/server-clock.ts'
import { dateText } from '../device/local-date.ts'
import { Button } from '../ui/Button.tsx'
import { Explained } from '../ui/Explained.tsx'
import { FormDialog } from '../ui/FormDialog.tsx'
import { SignPicture } from '../ui/pictures.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { AgreementDialog } from './AgreementDialog.tsx'
import { NewSignDialog } from './NewSignDialog.tsx'
import { SignLinkDialog } from './SignLinkDialog.tsx'
import { useCreateSign, useRevokeSign, useSigns } from './signs-queries.ts'

type Signs = OutputOf<typeof readSigns>

/** The dialog that is open above the screen. */
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
    <Explained
      line={texts.intro()}
      picture={<SignPicture />}
      safe={[
        texts.whoSees(),
        ...(read.data?.circles.length ? [texts.whoIsOn()] : []),
        texts.withoutConnection(),
        texts.endNote(),
      ]}
    >
      <OwnSigns read={read} onOpen={setOpen} />
      <CircleSigns circles={read.data?.circles ?? []} onOpen={setOpen} />
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
          title={texts.revokeQuestion({ label: open.sign.label })}
          description={texts.revokeNote()}
          action={texts.revokeSign()}
          kind="destructive"
          onSubmit={() => revoke(open.sign.id)}
          onClose={close}
        />
      ) : null}
      {open?.dialog === 'agree' ? <AgreementDialog circle={open.circle} onClose={close} /> : null}
      {proofDialog}
    </Explained>
  )
}

interface OwnSignsProps {
  read: { data: Signs | undefined; isError: boolean; isPending: boolean; refetch: () => unknown }
  onOpen: (open: Open) => void
}

function OwnSigns({ read, onOpen }: OwnSignsProps) {
  const signs = read.data?.signs ?? []
  return (
    <div className="pt-2">
      <ListState read={read} />
      <ul aria-label={texts.yourSigns()}>
        {signs.map((sign) => (
          <Row
            key={sign.id}
            name={sign.label}
            note={texts.signNote({ shows: showsText(sign), seen: seenText(sign.lastSeenAt) })}
          >
            <RevokeButton sign={sign} onOpen={onOpen} />
          </Row>
        ))}
      </ul>
      {!read.data ? null : signs.length < MAX_SIGNS ? (
        <p className="mt-3">
          <Button
            kind={signs.length === 0 ? 'primary' : 'secondary'}
            size="list"
            onClick={() => onOpen({ dialog: 'new' })}
          >
            {texts.makeSign()}
          </Button>
        </p>
      ) : (
        <p className="mt-3 text-note text-soft">{texts.maximum({ count: MAX_SIGNS })}</p>
      )}
    </div>
  )
}

function RevokeButton({ sign, onOpen }: { sign: { id: string; label: string }; onOpen: (open: Open) => void }) {
  return (
    <TextButton
      tone="destructive"
      aria-label={texts.revokeThis({ label: sign.label })}
      onClick={() => onOpen({ dialog: 'revoke', sign })}
    >
      {texts.revoke()}
    </TextButton>
  )
}

function CircleSigns({ circles, onOpen }: { circles: SignCircle[]; onOpen: (open: Open) => void }) {
  if (circles.length === 0) return null
  return (
    <Section title={texts.circleSigns()} note={texts.circleSignsNote()}>
      <ul>
        {circles.map((circle) => (
          <Row key={circle.circleId} name={circle.name} note={circleText(circle)}>
            {circle.sign ? (
              <>
                <TextButton
                  aria-label={texts.changeLabel({ name: circle.name })}
                  onClick={() => onOpen({ dialog: 'agree', circle })}
                >
                  {texts.change()}
                </TextButton>
                {circle.isKeeper ? <RevokeButton sign={circle.sign} onOpen={onOpen} /> : null}
              </>
            ) : circle.isKeeper ? (
              <TextButton
                aria-label={texts.makeSignOf({ name: circle.name })}
                onClick={() => onOpen({ dialog: 'new', circle })}
              >
                {texts.makeSign()}
              </TextButton>
            ) : null}
          </Row>
        ))}
      </ul>
    </Section>
  )
}

const MINE = { nothing: texts.mineNothing, dot: texts.mineDot, name: texts.mineName }

function circleText({ sign, isKeeper }: SignCircle): string {
  if (!sign) return isKeeper ? texts.noSign() : texts.noSignYet()
  const { label, agreed, lastSeenAt, mine } = sign
  return texts.circleSign({ label, count: agreed, seen: seenText(lastSeenAt), mine: MINE[mine]() })
}

function showsText({ showsName, showsUntil }: OwnSign): string {
  if (showsName) return showsUntil ? texts.showsAll() : texts.showsName()
  return showsUntil ? texts.showsTimes() : texts.showsState()
}

function seenText(lastSeenAt: string | null): string {
  if (!lastSeenAt) return texts.neverSeen()
  const day = dateText(new Date(lastSeenAt))
  return day === dateText(serverNow()) ? texts.seenToday() : texts.seenOn({ day })
}
