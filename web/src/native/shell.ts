/*
 * The native shell: status bar, haptics, network state, deep links, app lifecycle and back button. Loaded in native apps only,
 * after the first screen was requested.
 */

import { App } from '@capacitor/app'
import { Capacitor } from '@capacitor/core'
import { Haptics, ImpactStyle } from '@capacitor/haptics'
import { Network } from '@capacitor/network'
import { SplashScreen } from '@capacitor/splash-screen'
import { StatusBar, Style } from '@capacitor/status-bar'
import * as texts from '@deeb/texts/native'
import type { focusManager, onlineManager, QueryClient } from '@tanstack/react-query'
import type { onUnsafe } from '../calls/unsafe-version.ts'
import type { authClient } from '../session/auth-session.ts'
import type { replaceHaptic } from '../ui/haptic.ts'
import type { showLateToast } from '../ui/late-toast.ts'
import { topModal } from '../ui/toast.ts'
import { pathOf } from './deep-link.ts'

/** Passed in, not imported: a module shared by two chunks becomes a third chunk, which browsers would load too. */
interface ShellDeps {
  authClient: typeof authClient
  queryClient: QueryClient
  focusManager: typeof focusManager
  onlineManager: typeof onlineManager
  onUnsafe: typeof onUnsafe
  showToast: typeof showLateToast
  replaceHaptic: typeof replaceHaptic
  /** The origin of the server. */
  server: string
}

export async function startShell(deps: ShellDeps): Promise<void> {
  if (!Capacitor.isNativePlatform()) return
  statusBarFollowsFocus()
  deps.replaceHaptic(() => void Haptics.impact({ style: ImpactStyle.Medium }).catch(() => undefined))
  followNetwork(deps)
  showWhenUnsafe(deps)
  // A device may lack one of these features. The others still work.
  await Promise.allSettled([openLinks(deps), followLifecycle(deps), handleBackButton()])
  await SplashScreen.hide().catch(() => undefined)
}

/** Sets the text of the status bar to light in focus mode and to dark otherwise. */
function statusBarFollowsFocus(): void {
  const page = document.documentElement
  const follow = () => {
    // Devices without a status bar reject.
    StatusBar.setStyle({ style: page.dataset.focus === 'on' ? Style.Dark : Style.Light }).catch(() => undefined)
  }
  new MutationObserver(follow).observe(page, { attributeFilter: ['data-focus'] })
  follow()
}

function followNetwork({ onlineManager }: ShellDeps): void {
  onlineManager.setEventListener((setOnline) => {
    const listening = Network.addListener('networkStatusChange', ({ connected }) => setOnline(connected))
    return () => void listening.then((listener) => listener.remove())
  })
}

/** Shows a toast when this version is unsafe: a native app cannot replace its own files. */
function showWhenUnsafe({ onUnsafe, showToast }: ShellDeps): void {
  onUnsafe((moment) => {
    if (moment === 'learned') {
      showToast({ title: texts.unsafe(), description: texts.unsafeNote(), tone: 'destructive' })
    }
  })
}

/** Opens email links, also a link that started the app: the system queues it until a listener is added. */
async function openLinks({ server }: ShellDeps): Promise<void> {
  await App.addListener('appUrlOpen', ({ url }) => {
    const path = pathOf(url, server)
    if (path === null) return
    history.pushState(null, '', path)
    // pushState fires no event. The router and the screens of email links listen to this one.
    window.dispatchEvent(new HashChangeEvent('hashchange'))
  })
}

/**
 * Handles suspend and resume: pauses the token refresh in the background and refetches stale queries on return. If Android
 * has ended and restored the app, all queries are refetched.
 */
async function followLifecycle({ authClient, focusManager, queryClient }: ShellDeps): Promise<void> {
  await App.addListener('appStateChange', ({ isActive }) => {
    focusManager.setFocused(isActive)
    void authClient().then((auth) => (isActive ? auth.startAutoRefresh() : auth.stopAutoRefresh()))
  })
  await App.addListener('appRestoredResult', () => void queryClient.invalidateQueries())
}

/** Android's back button: closes the top dialog, else goes back. Without history it sends the app to the background. */
async function handleBackButton(): Promise<void> {
  await App.addListener('backButton', ({ canGoBack }) => {
    const dialog = topModal()
    // A blocking dialog has to be answered first.
    if (dialog?.getAttribute('closedby') === 'none') return
    if (dialog) dialog.close()
    else if (canGoBack) history.back()
    else void App.minimizeApp()
  })
}
