import * as texts from '@deeb/texts/homeSheets'
import { TextButton } from '../ui/TextLink.tsx'
import { showFailure } from '../ui/toast.ts'
import { canKeepOnTop, openRingWindow, useRingWindow } from './ring-window.ts'

/** Opens the small window that stays on top, where the browser has such windows. */
export function KeepOnTop() {
  const isOpen = useRingWindow() !== null
  if (isOpen || !canKeepOnTop()) return null
  const open = () => openRingWindow().catch(() => showFailure(texts.notAllowed()))
  return (
    <TextButton tone="soft" onClick={() => void open()}>
      {texts.keepOnTop()}
    </TextButton>
  )
}
