import * as texts from '@deeb/texts/tokens'
import { useState } from 'react'
import { IS_NATIVE } from '../device/platform.ts'
import { Disclosure } from '../ui/Disclosure.tsx'
import { TextLink } from '../ui/TextLink.tsx'

/** A row that expands to the browser extension of this server, and how to load it. */
export function BrowserExtension() {
  const [isOpen, setIsOpen] = useState(false)
  if (IS_NATIVE) return null
  return (
    <Disclosure label={texts.extension()} value="" open={isOpen} onToggle={() => setIsOpen(!isOpen)}>
      <p className="text-body text-pretty text-soft">{texts.extensionNote()}</p>
      <p>
        <TextLink href="/extension.zip" download>
          {texts.downloadExtension()}
        </TextLink>
      </p>
      <p className="text-note text-pretty">{texts.loadInChromium()}</p>
      <p className="mt-2 text-note text-pretty">{texts.loadInFirefox()}</p>
    </Disclosure>
  )
}
