import './ui/tokens.css'
import './ui/app-toasts.css'
import { focusManager, onlineManager, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './cache/query-client.ts'
import { onUnsafe } from './calls/unsafe-version.ts'
import { IS_NATIVE, SERVER } from './device/platform.ts'
import { followLink } from './language/show-in.ts'
import { Routes } from './routes.tsx'
import { authClient } from './session/auth-session.ts'
import { replaceHaptic } from './ui/haptic.ts'
import { showLateToast } from './ui/late-toast.ts'

followLink()

const root = document.getElementById('root')
if (!root) throw new Error('app.html has no #root.')

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Routes />
    </QueryClientProvider>
  </StrictMode>,
)

// Loaded in native apps only.
if (IS_NATIVE) {
  const deps = {
    authClient,
    queryClient,
    focusManager,
    onlineManager,
    onUnsafe,
    showToast: showLateToast,
    replaceHaptic,
    server: SERVER,
  }
  void import('./native/shell.ts').then(({ startShell }) => startShell(deps))
}
