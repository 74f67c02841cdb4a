import * as texts from '@deeb/texts/lamp'
import { useRef } from 'react'
import { Row } from '../account/sign-in-settings/Section.tsx'
import { Button } from '../ui/Button.tsx'
import { FormError } from '../ui/FormError.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { showFailure } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { useFocusAfterRemoval } from '../ui/use-focus-after-removal.ts'
import { chooseDevices, forgetDevice, type HidDevice, useLamps } from './hid.ts'
import { LAMP_FILTERS, openLamp, showLamp } from './lamp-models.ts'

/** Lets the user choose USB lamps that show deeb mode, and remove them. */
export default function LampSheet({ onClose }: { onClose: () => void }) {
  const lamps = useLamps()
  const [busy, run, failure] = useBusy()
  const list = useRef<HTMLUListElement>(null)
  useFocusAfterRemoval(list, 'h2')
  async function choose(): Promise<void> {
    try {
      for (const lamp of await chooseDevices(LAMP_FILTERS)) await openLamp(lamp)
    } catch {
      showFailure(texts.notReached())
    }
  }
  async function remove(lamp: HidDevice): Promise<void> {
    await showLamp(lamp, false).catch(() => undefined)
    await forgetDevice(lamp)
  }
  return (
    <Sheet title={texts.title()} onDismiss={onClose}>
      <p className="text-body text-pretty text-soft">{texts.note()}</p>
      <ul ref={list} className="mt-4 pb-4">
        {lamps.map((lamp, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lamps of a model have the same ids.
          <Row key={index} name={lamp.productName}>
            <TextButton
              aria-label={texts.removeLamp({ name: lamp.productName })}
              onClick={() => void run(() => remove(lamp))}
            >
              {texts.remove()}
            </TextButton>
          </Row>
        ))}
      </ul>
      <Button kind="secondary" busy={busy} onClick={() => void run(choose)}>
        {texts.choose()}
      </Button>
      <FormError>{failure}</FormError>
    </Sheet>
  )
}
