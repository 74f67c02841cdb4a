import './ui/tokens.css'
import './ui/app-toasts.css'
import { focusManager, onlineManager, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { authClient } from './auth-session.ts'
import { followLink } from './language/show-in.ts'
import { IS_NATIVE, SERVER } from './platform.ts'
import { queryClient } from './query-client.ts'
import { Routes } from './routes.tsx'
import { onUnsafe } from './service-worker/unsafe-version.ts'
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
