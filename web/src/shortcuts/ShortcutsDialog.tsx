import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/shortcuts'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { areShortcutsOn, setShortcuts } from './shortcuts-setting.ts'

const KEYS = [
  ['D', texts.switchMode],
  ['H', texts.home],
  ['T', texts.team],
  ['P', texts.profile],
  ['S', texts.settings],
  ['?', texts.help],
] as const

/** The list of all keyboard shortcuts, with a box to switch them off. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [isOn, setIsOn] = useState(areShortcutsOn)
  function change(next: boolean): void {
    setShortcuts(next)
    setIsOn(next)
  }
  return (
    <Dialog dismissal="dismissible" title={texts.title()} onDismiss={onClose}>
      <dl className="mt-4 grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2 text-body">
        {KEYS.map(([key, action]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="grid h-8 min-w-8 place-items-center rounded-bar border border-edge font-sans text-name">
                {key}
              </kbd>
            </dt>
            <dd>{action()}</dd>
          </div>
        ))}
      </dl>
      <label className="mt-4 flex min-h-11 items-center gap-3 text-body">
        <input
          type="checkbox"
          className="size-5 accent-(--ink)"
          checked={isOn}
          onChange={(event) => change(event.currentTarget.checked)}
        />
        {texts.singleKeys()}
      </label>
      <DialogActions>
        <Button kind="secondary" onClick={onClose}>
          {commonTexts.close()}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
