import { APP_PATHS } from '@deeb/core/paths'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { useSession } from './session.ts'

const load = {
  signIn: () => import('./account/SignInScreen.tsx'),
  signUp: () => import('./account/SignUpScreen.tsx'),
  confirm: () => import('./account/ConfirmScreen.tsx'),
  home: () => import('./focus/HomeScreen.tsx'),
  settings: () => import('./account/SettingsScreen.tsx'),
}
const SignInScreen = lazy(load.signIn)
const SignUpScreen = lazy(load.signUp)
const ConfirmScreen = lazy(load.confirm)
const HomeScreen = lazy(load.home)
const SettingsScreen = lazy(load.settings)

const LOAD_OTHERS_AFTER_MS = 2000

/** Every URL of the app. The server answers only these with its page, so there is no other to draw. */
export function Routes() {
  useLoadOthers()
  return (
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
        <Route path={APP_PATHS.home}>
          <ForSignedIn>
            <HomeScreen />
          </ForSignedIn>
        </Route>
        <Route path={APP_PATHS.settings}>
          <ForSignedIn>
            <SettingsScreen />
          </ForSignedIn>
        </Route>
      </Switch>
    </Suspense>
  )
}

/** Gets the other screens once the first one stands, so that going there needs no `Loading...`. */
function useLoadOthers(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      // One that cannot be had now is asked for again when it is needed.
      for (const screen of Object.values(load)) screen().catch(() => undefined)
    }, LOAD_OTHERS_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
}

function ForSignedIn({ children }: { children: ReactNode }) {
  const session = useSession()
  if (session === undefined) return <Loading />
  return session ? children : <Redirect to={APP_PATHS.signIn} replace />
}

function ForVisitors({ children }: { children: ReactNode }) {
  const session = useSession()
  if (session === undefined) return <Loading />
  return session ? <Redirect to={APP_PATHS.home} replace /> : children
}

function Loading() {
  return (
    <p role="status" className="skeleton column grid min-h-dvh place-items-center text-body text-soft">
      Loading...
    </p>
  )
}
