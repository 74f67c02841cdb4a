/*
 * What the app does beyond a browser's page once it runs inside a native app. Loaded there only, and after the first
 * screen was asked for: nothing here is needed to draw it.
 */
import { App } from '@capacitor/app'
import { Capacitor } from '@capacitor/core'
import { Haptics, ImpactStyle } from '@capacitor/haptics'
import { Network } from '@capacitor/network'
import { SplashScreen } from '@capacitor/splash-screen'
import { StatusBar, Style } from '@capacitor/status-bar'
import type { focusManager, onlineManager, QueryClient } from '@tanstack/react-query'
import type { auth } from '../auth-session.ts'
import type { onUnsafe } from '../service-worker/unsafe-version.ts'
import type { showToast } from '../ui/toast.ts'
import { pathOf } from './deep-link.ts'

/** Handed over, not imported: what two chunks share becomes a third, which the browser would load for it. */
interface Inside {
  auth: typeof auth
  queryClient: QueryClient
  focusManager: typeof focusManager
  onlineManager: typeof onlineManager
  onUnsafe: typeof onUnsafe
  showToast: typeof showToast
  /** The origin of the server. */
  server: string
}

export async function startShell(inside: Inside): Promise<void> {
  if (!Capacitor.isNativePlatform()) return
  statusBarFollowsFocus()
  switchIsFelt()
  followNetwork(inside)
  sayWhenUnsafe(inside)
  // What one device lacks must not take the rest with it.
  await Promise.allSettled([openLinks(inside), followLifecycle(inside), goBackByButton()])
  await SplashScreen.hide().catch(() => undefined)
}

/** Light letters on black in focus mode, dark ones on the light ground otherwise. */
function statusBarFollowsFocus(): void {
  const page = document.documentElement
  const follow = () => {
    // Devices without such a bar refuse, and lack nothing.
    StatusBar.setStyle({ style: page.dataset.focus === 'on' ? Style.Dark : Style.Light }).catch(() => undefined)
  }
  new MutationObserver(follow).observe(page, { attributeFilter: ['data-focus'] })
  follow()
}

function switchIsFelt(): void {
  document.addEventListener('click', ({ target }) => {
    const isSwitch = target instanceof Element && target.closest('[role=switch]:not(:disabled)')
    if (isSwitch) Haptics.impact({ style: ImpactStyle.Medium }).catch(() => undefined)
  })
}

function followNetwork({ onlineManager }: Inside): void {
  onlineManager.setEventListener((setOnline) => {
    const listening = Network.addListener('networkStatusChange', ({ connected }) => setOnline(connected))
    return () => void listening.then((listener) => listener.remove())
  })
}

/** The app cannot replace its own files. */
function sayWhenUnsafe({ onUnsafe, showToast }: Inside): void {
  const description = 'This version is no longer safe. Install the newest one.'
  onUnsafe((moment) => {
    if (moment === 'learned') showToast({ title: 'Update deeb', description, tone: 'destructive' })
  })
}

/** The links of mails, also the one that started the app: the system keeps it until somebody listens. */
async function openLinks({ server }: Inside): Promise<void> {
  await App.addListener('appUrlOpen', ({ url }) => {
    const path = pathOf(url, server)
    if (path === null) return
    history.pushState(null, '', path)
    // Not said by pushState: both the router and the screens of links listen to it.
    window.dispatchEvent(new HashChangeEvent('hashchange'))
  })
}

/**
 * Away and back. No tick was counted meanwhile: what is on the screen derives from the start of the session, and the rest
 * is read again. Android may have ended the app while it was away, and restores it; then all begins anew.
 */
async function followLifecycle({ auth, focusManager, queryClient }: Inside): Promise<void> {
  await App.addListener('appStateChange', ({ isActive }) => {
    focusManager.setFocused(isActive)
    void (isActive ? auth.startAutoRefresh() : auth.stopAutoRefresh())
  })
  await App.addListener('appRestoredResult', () => void queryClient.invalidateQueries())
}

/** Of Android: it closes what is open over the screen. Where there is nothing to go back to, it leaves the app, which goes on. */
async function goBackByButton(): Promise<void> {
  await App.addListener('backButton', ({ canGoBack }) => {
    const dialog = [...document.querySelectorAll<HTMLDialogElement>('dialog:modal')].at(-1)
    // Some have to be answered first.
    if (dialog?.getAttribute('closedby') === 'none') return
    if (dialog) dialog.close()
    else if (canGoBack) history.back()
    else void App.minimizeApp()
  })
}
