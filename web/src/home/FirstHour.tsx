import type { settingsPath } from '@deeb/core/settings-parts'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/homeSheets'
import { useState } from 'react'
import { Link } from 'wouter'
import { store } from '../device/store.ts'
import { Close } from '../ui/icons.tsx'

/** The path of the part of Settings. Its module would be one more file of the first visit. */
const SIGN_PATH: ReturnType<typeof settingsPath> = '/app/settings/sign'

/** In local storage, the user who has dismissed it in this browser. It is due for a day only. */
const DISMISSED_BY = 'deeb.first-hour'

/** After the first full hour: what a door sign of one's own looks like. Nothing of it moves or asks, and it is no dialog. */
export function FirstHour({ userId }: { userId: string }) {
  const [isDismissed, setIsDismissed] = useState(() => localStorage.getItem(DISMISSED_BY) === userId)
  if (isDismissed) return null
  function dismiss(): void {
    store('localStorage', DISMISSED_BY, userId)
    setIsDismissed(true)
  }
  return (
    <section className="first-hour" aria-label={texts.firstHour()}>
      <Sign />
      <p className="text-note">
        <span className="block">{texts.firstHour()}</span>
        <Link href={SIGN_PATH} onClick={dismiss} className="underline underline-offset-4">
          {texts.putOutside()}
        </Link>
      </p>
      <button
        type="button"
        aria-label={commonTexts.dismiss()}
        onClick={dismiss}
        className="grid size-11 flex-none place-items-center rounded-full text-soft"
      >
        <Close size={20} strokeWidth={1.75} />
      </button>
    </section>
  )
}

/** The page of a sign while its user is in deeb mode: black, with the plug in the ear. */
function Sign() {
  return (
    <svg viewBox="0 0 48 64" className="first-hour-sign" aria-hidden="true">
      <rect width={48} height={64} rx={6} fill="#000000" />
      <circle cx={24} cy={27} r={12} fill="#4ade80" />
      <rect x={10} y={47} width={28} height={3.5} rx={1.75} fill="#f4f4f1" />
    </svg>
  )
}
