import './circles.css'
import { shownName } from '@deeb/core/account/display-name'
import type { readCircles } from '@deeb/core/circles/api'
import type { OutputOf } from '@deeb/core/endpoint'
import { APP_PATHS } from '@deeb/core/paths'
import type { Person } from '@deeb/core/team/connection'
import * as texts from '@deeb/texts/circles'
import { type ReactNode, Suspense, useRef, useState } from 'react'
import { Redirect } from 'wouter'
import { ApiError } from '../calls/api.ts'
import { lazyScreen } from '../device/lazy-screen.ts'
import { useHome } from '../focus/day-queries.ts'
import { AsOf } from '../frame/AsOf.tsx'
import { onboarded } from '../frame/onboarded.tsx'
import { FocusFrame } from '../sessions/FocusFrame.tsx'
import { useHidePerson } from '../team/circle-changes.ts'
import { Button } from '../ui/Button.tsx'
import { FormError } from '../ui/FormError.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { PersonRow } from '../ui/PersonRow.tsx'
import { ScreenSkeleton, Skeleton } from '../ui/Skeleton.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { useFocusAfterRemoval } from '../ui/use-focus-after-removal.ts'
import { useTapGuard } from '../ui/use-tap-guard.ts'
import { CircleItem } from './CircleItem.tsx'
import { linkOf, sizeOf } from './circle-text.ts'
import { useCircles, useCreateCircle } from './circles-queries.ts'
import { NameDialog } from './NameDialog.tsx'

/** Loaded when it is opened, since it contains the encoder of QR codes. */
const ShareDialog = lazyScreen(() => import('./ShareDialog.tsx'))

type Circles = OutputOf<typeof readCircles>

export default onboarded(CirclesScreen)

function CirclesScreen() {
  const { data: home } = useHome()
  const { read, asOf } = useCircles()
  const { data, error, isError, refetch } = read
  const subPage = { title: texts.title(), parent: APP_PATHS.team, backLabel: texts.backToTeam() }
  const isOff = error instanceof ApiError && error.code === 'circles_off'
  // Circles are of a company. Team says what there is without one.
  if (home?.profile.companyDomain === null) return <Redirect to={APP_PATHS.team} replace />
  return (
    <FocusFrame title={subPage.title} focus={home} subPage={subPage}>
      {isOff ? <Note>{texts.circlesOff()}</Note> : null}
      {data && !isOff ? (
        <CircleList
          circles={data.circles}
          hidden={data.hidden}
          isOld={asOf !== null}
          note={<AsOf asOf={asOf} read={read} />}
        />
      ) : null}
      {!data && isError && !isOff ? <LoadFailure title={texts.circlesFailed()} onRetry={() => void refetch()} /> : null}
      {!data && !isError ? <CirclesSkeleton /> : null}
    </FocusFrame>
  )
}

interface CircleListProps extends Pick<Circles, 'circles' | 'hidden'> {
  /** Nothing can be changed then, and the links are not known. */
  isOld: boolean
  note: ReactNode
}

function CircleList({ circles, hidden, isOld, note }: CircleListProps) {
  const list = useRef<HTMLUListElement>(null)
  useFocusAfterRemoval(list, 'h1')
  const [pressedId, setPressedId] = useState<string | null>()
  const [sharedId, setSharedId] = useState<string>()
  const [only] = circles.length === 1 ? circles : []
  const openId = pressedId === undefined ? only?.id : pressedId
  const shared = circles.find(({ id }) => id === sharedId)
  function share(circleId: string): void {
    setPressedId(circleId)
    setSharedId(circleId)
  }
  return (
    <main className="column flex-1 pb-5">
      <div>
        {note}
        {circles.length === 0 ? <NoCircles /> : null}
        <ul ref={list} aria-label={texts.title()}>
          {circles.map((circle) => (
            <CircleItem
              key={circle.id}
              circle={circle}
              isOld={isOld}
              open={circle.id === openId}
              onToggle={() => setPressedId(circle.id === openId ? null : circle.id)}
              onShare={() => share(circle.id)}
            />
          ))}
        </ul>
      </div>
      <div>
        {isOld ? null : <Create isFirst={circles.length === 0} onCreated={share} />}
        <HiddenPeople people={hidden} />
      </div>
      {shared?.invite ? (
        <Suspense>
          <ShareDialog
            name={shared.name}
            size={sizeOf(shared)}
            link={linkOf(shared.invite, shared)}
            onClose={() => setSharedId(undefined)}
          />
        </Suspense>
      ) : null}
    </main>
  )
}

function NoCircles() {
  return (
    <div className="flex flex-col items-center pt-10 pb-6 text-center">
      <svg viewBox="0 0 120 72" width={120} height={72} fill="none" strokeWidth={8} aria-hidden="true">
        <circle cx={40} cy={36} r={30} className="stroke-edge" />
        <circle cx={80} cy={36} r={30} className="stroke-line" />
      </svg>
      <p className="mt-6 text-name">{texts.noCircles()}</p>
      <p className="mt-1 text-body text-pretty text-soft">{texts.noCirclesHint()}</p>
    </div>
  )
}

/** A button that creates a circle, then shows its QR code. */
function Create({ isFirst, onCreated }: { isFirst: boolean; onCreated: (circleId: string) => void }) {
  const { data: home } = useHome()
  const create = useCreateCircle()
  const [isNaming, setIsNaming] = useState(false)
  const domain = home?.profile.companyDomain
  if (!domain) return null
  async function save(name: string): Promise<boolean> {
    const created = await create.mutateAsync(name).catch(() => null)
    if (created) onCreated(created.circleId)
    return created !== null
  }
  return (
    <div className={isFirst ? undefined : 'mt-6'}>
      <Button kind={isFirst ? 'primary' : 'secondary'} onClick={() => setIsNaming(true)}>
        {texts.create()}
      </Button>
      {isNaming ? (
        <NameDialog
          title={texts.create()}
          description={texts.createDescription({ domain })}
          action={texts.createAction()}
          onSave={save}
          onClose={() => setIsNaming(false)}
        />
      ) : null}
    </div>
  )
}

/** Stays without people, so that it moves the focus after the last one. */
function HiddenPeople({ people }: { people: Person[] }) {
  const list = useRef<HTMLUListElement>(null)
  useFocusAfterRemoval(list, 'h1')
  useTapGuard(list, people.length)
  if (people.length === 0) return null
  return (
    <section aria-labelledby="hidden-people" className="mt-8">
      <h2 id="hidden-people" className="text-heading">
        {texts.hidden()}
      </h2>
      <p className="mt-1 text-body text-pretty text-soft">{texts.hiddenHint()}</p>
      <ul ref={list} className="mt-2">
        {people.map((person) => (
          <HiddenRow key={person.id} person={person} />
        ))}
      </ul>
    </section>
  )
}

function HiddenRow({ person }: { person: Person }) {
  const hide = useHidePerson()
  const [busy, run, failure] = useBusy()
  return (
    <li className="border-line not-first:border-t">
      <PersonRow name={shownName(person)} email={person.email}>
        <Button
          kind="secondary"
          size="list"
          aria-label={texts.showPersonAgain({ name: shownName(person) })}
          busy={busy}
          onClick={() => void run(() => hide.mutateAsync({ person, isHidden: false }).catch(() => undefined))}
        >
          {texts.showAgain()}
        </Button>
      </PersonRow>
      <FormError>{failure}</FormError>
    </li>
  )
}

function Note({ children }: { children: string }) {
  return (
    <main className="column flex-1 pb-5">
      <p className="text-body text-pretty text-soft">{children}</p>
    </main>
  )
}

function CirclesSkeleton() {
  return (
    <ScreenSkeleton className="column flex-1 pb-5">
      {['first', 'second'].map((row) => (
        <Skeleton key={row} shape="line" className="mt-3 h-10" />
      ))}
    </ScreenSkeleton>
  )
}
