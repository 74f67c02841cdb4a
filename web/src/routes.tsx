import { APP_PATHS, type AppPath } from '@deeb/core/paths'
import * as texts from '@deeb/texts/home'
import { useQueryClient } from '@tanstack/react-query'
import { type ComponentType, Fragment, type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { noteNavigation } from './calls/unsafe-version.ts'
import { lazyPart } from './device/lazy-part.tsx'
import { lazyScreen, type ScreenModule } from './device/lazy-screen.ts'
import { IS_NATIVE } from './device/platform.ts'
import { useSending } from './focus/use-switch-focus.ts'
import { LoadBoundary } from './frame/LoadBoundary.tsx'
import HomeScreen from './home/HomeScreen.tsx'
import { isVerified, useAuthSession, useGate } from './session/auth-session.ts'
import { screenAfterSignIn } from './session/kept-invite.ts'
import { FocusFrame } from './sessions/FocusFrame.tsx'
import { LoadFailure } from './ui/LoadFailure.tsx'
import { Loading } from './ui/Loading.tsx'

/** Every screen but Home: its path, its loader, and who may see it. */
const SCREENS: [AppPath | '/app/profile/:part?' | '/app/settings/:part?', () => Promise<ScreenModule>, Guard][] = [
  [APP_PATHS.signIn, () => import('./account/SignInScreen.tsx'), ForVisitors],
  [APP_PATHS.signUp, () => import('./account/SignUpScreen.tsx'), ForVisitors],
  [APP_PATHS.confirm, () => import('./account/ConfirmScreen.tsx'), Fragment],
  [APP_PATHS.forgotPassword, () => import('./account/ForgotPasswordScreen.tsx'), Fragment],
  [APP_PATHS.resetPassword, () => import('./account/ResetPasswordScreen.tsx'), Fragment],
  [APP_PATHS.companySignIn, () => import('./account/CompanySignInScreen.tsx'), Fragment],
  [APP_PATHS.team, () => import('./team/TeamScreen.tsx'), ForSignedIn],
  [APP_PATHS.circles, () => import('./circles/CirclesScreen.tsx'), ForSignedIn],
  [APP_PATHS.circle, () => import('./circles/CircleScreen.tsx'), ForInvited],
  [APP_PATHS.invite, () => import('./circles/CircleScreen.tsx'), ForInvited],
  ['/app/profile/:part?', () => import('./stats/ProfileScreens.tsx'), ForSignedIn],
  [APP_PATHS.goalSettings, () => import('./goals/GoalSettingsScreen.tsx'), ForSignedIn],
  [APP_PATHS.sessions, () => import('./sessions/SessionsScreen.tsx'), ForSignedIn],
  [APP_PATHS.company, () => import('./report/CompanyScreen.tsx'), ForSignedIn],
  [APP_PATHS.signInSettings, () => import('./account/sign-in-settings/SignInSettingsScreen.tsx'), ForSignedIn],
  ['/app/settings/:part?', () => import('./settings/SettingsScreens.tsx'), ForSignedIn],
]
type Guard = ComponentType<{ children: ReactNode }>

const ROUTES = SCREENS.map(([path, load, Guard]) => {
  const Screen = lazyScreen(load)
  return (
    <Route key={path} path={path}>
      <Guard>
        <Screen />
      </Guard>
    </Route>
  )
})

/** The screens that replace every other one until they are done. */
const CodeScreen = lazyScreen(() => import('./account/SecondFactorScreen.tsx'))
const FactorScreen = lazyScreen(() => import('./account/sign-in-settings/RequiredFactorScreen.tsx'))

/** The page of an invitation for visitors. */
const InvitedScreen = lazyScreen(() => import('./account/InvitedScreen.tsx'))

const OnEveryScreen = lazyPart(() => import('./OnEveryScreen.tsx'))

const PRELOAD_AFTER_MS = 2000

/**
 * Every URL of the app; the server answers only these with the app's page. A native app has no server for its pages: there, all
 * other paths redirect to the app.
 */
export function Routes() {
  useNoteNavigation()
  return (
    <LoadBoundary Frame={WholePage}>
      <InBackground />
      <Suspense fallback={<Loading />}>
        <Switch>
          {/* Where a signed-in user starts: in the first file, so that nothing is awaited for it. */}
          <Route path={APP_PATHS.home}>
            <ForSignedIn>
              <HomeScreen />
            </ForSignedIn>
          </Route>
          {/* A tap on a case: Home answers it (use-tap.ts). */}
          <Route path="/t">
            <ForInvited>
              <HomeScreen />
            </ForInvited>
          </Route>
          {ROUTES}
          {IS_NATIVE ? (
            <Route>
              <Redirect to={APP_PATHS.signIn} replace />
            </Route>
          ) : null}
        </Switch>
        <Preload />
      </Suspense>
    </LoadBoundary>
  )
}

/**
 * Loads the other screens after the first one, so that going there shows no `Loading...`. On a slow network the files and the data of the
 * first screen come before them: this effect waits while a screen is loading.
 */
function Preload(): null {
  const queryClient = useQueryClient()
  useEffect(() => {
    const timer = setInterval(() => {
      if (queryClient.isFetching() > 0) return
      clearInterval(timer)
      // A screen that fails to load is loaded again when it is opened.
      for (const [, load] of SCREENS) load().catch(() => undefined)
      // A native app contains its files.
      if (!IS_NATIVE)
        import('./service-worker/register-worker.ts')
          .then(({ registerWorker }) => registerWorker())
          .catch(() => undefined)
    }, PRELOAD_AFTER_MS)
    return () => clearInterval(timer)
  }, [queryClient])
  return null
}

function useNoteNavigation(): void {
  const [path] = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change of the path that is noted.
  useEffect(noteNavigation, [path])
}

function ForSignedIn({ children }: { children: ReactNode }) {
  const session = useAuthSession()
  const gate = useGate()
  if (session === 'checking') return <Loading />
  if (session === 'unreachable') return <Unreachable />
  if (!session) return <Redirect to={APP_PATHS.signIn} replace />
  if (gate === 'code') return <CodeScreen />
  if (gate === 'factor') return <FactorScreen />
  // The key discards all state when another user signs in.
  return (
    <LoadBoundary key={session.user.id} Frame={FocusFrame}>
      {children}
    </LoadBoundary>
  )
}

/** Outside the routes: a navigation must not close the live stream or stop the sending of switches. */
function InBackground() {
  const session = useAuthSession()
  const gate = useGate()
  return isVerified(session) && gate === null ? (
    <InBackgroundFor key={session.user.id} userId={session.user.id} />
  ) : null
}

function InBackgroundFor({ userId }: { userId: string }) {
  useSending(userId)
  // Somebody waits for the answer to a tap, which is in the same file.
  return useHasAnswer() || window.location.pathname === '/t' ? <OnEveryScreen userId={userId} /> : null
}

/** Whether a first answer is or was there, from the server or the last visit. Until then nothing else is loaded. */
function useHasAnswer(): boolean {
  const cache = useQueryClient().getQueryCache()
  return useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    // Not by its status: a failed read is pending again while it is repeated. What is loaded would come and go, and repeat it each time.
    () => cache.getAll().some(({ state }) => state.dataUpdatedAt + state.errorUpdateCount > 0),
  )
}

function ForInvited({ children }: { children: ReactNode }) {
  return useAuthSession() === null ? <InvitedScreen /> : <ForSignedIn>{children}</ForSignedIn>
}

function ForVisitors({ children }: { children: ReactNode }) {
  const session = useAuthSession()
  if (session === 'checking') return <Loading />
  if (session === 'unreachable') return <Unreachable />
  return session ? <Redirect to={screenAfterSignIn()} replace /> : children
}

/** The tokens have expired and cannot be refreshed. */
function Unreachable() {
  return (
    <WholePage>
      <LoadFailure
        title={texts.unreachable()}
        description={texts.stillSignedIn()}
        // The auth client does not retry a failed refresh for a minute; a reload does.
        onRetry={() => window.location.reload()}
      />
    </WholePage>
  )
}

function WholePage({ children }: { children: ReactNode }) {
  return <div className="flex min-h-dvh flex-col">{children}</div>
}
