import { APP_PATHS } from '@deeb/core/paths'
import { YEAR_PATH } from '@deeb/core/stats/year'
import { Redirect, useLocation } from 'wouter'
import ProfileScreen from './ProfileScreen.tsx'
import YearScreen from './YearScreen.tsx'

/** Profile, or the year below it. One module, so that the first visit has fewer names. */
export default function ProfileScreens() {
  const [path] = useLocation()
  if (path === YEAR_PATH) return <YearScreen />
  return path === APP_PATHS.profile ? <ProfileScreen /> : <Redirect to={APP_PATHS.profile} replace />
}
