import { APP_PATHS } from '@deeb/core/paths'
import { Fragment, type ReactNode, Suspense, useEffect } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { isVerified, useAuthSession } from './auth-session.ts'
import { useSending } from './focus/use-switch-focus.ts'
import { LoadBoundary } from './LoadBoundary.tsx'
import { lazyScreen } from './lazy-screen.ts'
import { useLive } from './live/use-live.ts'
import { IS_NATIVE } from './platform.ts'
import { noteNavigation } from './service-worker/unsafe-version.ts'
import { LoadFailure } from './ui/LoadFailure.tsx'

const load = {
  signIn: () => import('./account/SignInScreen.tsx'),
  signUp: () => import('./account/SignUpScreen.tsx'),
  confirm: () => import('./account/ConfirmScreen.tsx'),
  forgotPassword: () => import('./account/ForgotPasswordScreen.tsx'),
  resetPassword: () => import('./account/ResetPasswordScreen.tsx'),
  home: () => import('./home/HomeScreen.tsx'),
  team: () => import('./team/TeamScreen.tsx'),
  profile: () => import('./stats/ProfileScreen.tsx'),
  goalSettings: () => import('./goals/GoalSettingsScreen.tsx'),
  sessions: () => import('./sessions/SessionsScreen.tsx'),
  settings: () => import('./account/SettingsScreen.tsx'),
}
const SignInScreen = lazyScreen(load.signIn)
const SignUpScreen = lazyScreen(load.signUp)
const ConfirmScreen = lazyScreen(load.confirm)
const ForgotPasswordScreen = lazyScreen(load.forgotPassword)
const ResetPasswordScreen = lazyScreen(load.resetPassword)
const HomeScreen = lazyScreen(load.home)
const TeamScreen = lazyScreen(load.team)
const ProfileScreen = lazyScreen(load.profile)
const GoalSettingsScreen = lazyScreen(load.goalSettings)
const SessionsScreen = lazyScreen(load.sessions)
const SettingsScreen = lazyScreen(load.settings)

const LOAD_OTHERS_AFTER_MS = 2000

/**
 * Every URL of the app. The server answers only these with its page, so there is no other to draw. In a native app nobody
 * answers: all others, the public pages too, lead to the app.
 */
export function Routes() {
  useLoadOthers()
  useNoteNavigation()
  return (
    <LoadBoundary>
      <Live />
      <Suspense fallback={<Loading />}>
        <Switch>
          <Route path={APP_PATHS.signIn}>
            <ForVisitors>
              <SignInScreen />
            </ForVisitors>
          </Route>
          <Route path={APP_PATHS.signUp}>
            <ForVisitors>
              <SignUpScreen />
            </ForVisitors>
          </Route>
          <Route path={APP_PATHS.confirm}>
            <ConfirmScreen />
          </Route>
          <Route path={APP_PATHS.forgotPassword}>
            <ForgotPasswordScreen />
          </Route>
          <Route path={APP_PATHS.resetPassword}>
            <ResetPasswordScreen />
          </Route>
          <Route path={APP_PATHS.home}>
            <ForSignedIn>
              <HomeScreen />
            </ForSignedIn>
          </Route>
          <Route path={APP_PATHS.team}>
            <ForSignedIn>
              <TeamScreen />
            </ForSignedIn>
          </Route>
          <Route path={APP_PATHS.profile}>
            <ForSignedIn>
              <ProfileScreen />
            </ForSignedIn>
          </Route>
          <Route path={APP_PATHS.goalSettings}>
            <ForSignedIn>
              <GoalSettingsScreen />
            </ForSignedIn>
          </Route>
          <Route path={APP_PATHS.sessions}>
            <ForSignedIn>
              <SessionsScreen />
            </ForSignedIn>
          </Route>
          <Route path={APP_PATHS.settings}>
            <ForSignedIn>
              <SettingsScreen />
            </ForSignedIn>
          </Route>
          {IS_NATIVE ? (
            <Route>
              <Redirect to={APP_PATHS.signIn} replace />
            </Route>
          ) : null}
        </Switch>
      </Suspense>
    </LoadBoundary>
  )
}

/** Gets the other screens once the first one stands, so that going there needs no `Loading...`. */
function useLoadOthers(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      // One that cannot be had now is asked for again when it is needed.
      for (const screen of Object.values(load)) screen().catch(() => undefined)
      // A native app has its files with it.
      if (!IS_NATIVE)
        import('./service-worker/register-worker.ts')
          .then(({ registerWorker }) => registerWorker())
          .catch(() => undefined)
    }, LOAD_OTHERS_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
}

function useNoteNavigation(): void {
  const [path] = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change of the path that is noted.
  useEffect(noteNavigation, [path])
}

function ForSignedIn({ children }: { children: ReactNode }) {
  const session = useAuthSession()
  if (session === 'checking') return <Loading />
  if (session === 'unreachable') return <Unreachable />
  if (!session) return <Redirect to={APP_PATHS.signIn} replace />
  // Another person's screen is another screen: nothing of the first one's is kept.
  return <Fragment key={session.user.id}>{children}</Fragment>
}

/** Outside the routes: going from one screen to the next must not end the stream, nor what is being sent. */
function Live() {
  const session = useAuthSession()
  return isVerified(session) ? <LiveFor key={session.user.id} userId={session.user.id} /> : null
}

function LiveFor({ userId }: { userId: string }) {
  useLive(userId)
  useSending(userId)
  return null
}

function ForVisitors({ children }: { children: ReactNode }) {
  const session = useAuthSession()
  if (session === 'checking') return <Loading />
  if (session === 'unreachable') return <Unreachable />
  return session ? <Redirect to={APP_PATHS.home} replace /> : children
}

function Loading() {
  return (
    <p role="status" className="skeleton column grid min-h-dvh place-items-center text-body text-soft">
      Loading...
    </p>
  )
}

/** Somebody is signed in here, but nobody answers who could say that they still are. */
function Unreachable() {
  return (
    <div className="flex min-h-dvh flex-col">
      <LoadFailure
        title="deeb cannot be reached"
        description="You are still signed in. Check your connection and try again."
        // The auth client would remember for a minute that nobody answered.
        onRetry={() => window.location.reload()}
      />
    </div>
  )
}
