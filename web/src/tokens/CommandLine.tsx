import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/tokens'
import { useState } from 'react'
import { copyText } from '../account/copy-text.ts'
import { SERVER } from '../device/platform.ts'
import { Disclosure } from '../ui/Disclosure.tsx'
import { TextButton } from '../ui/TextLink.tsx'

/** A row that expands to the lines which install the command line of this server, sign it in, and run it for an assistant. */
export function CommandLine() {
  const [isOpen, setIsOpen] = useState(false)
  const server = SERVER || location.origin
  const lines: [string, string][] = [
    [texts.install(), `npm install --global ${server}/cli.tgz`],
    [texts.signIn(), `deeb login --server ${server}`],
    [texts.assistant(), `npx --yes --package=${server}/cli.tgz -- deeb mcp`],
  ]
  return (
    <Disclosure label={texts.commandLine()} value="" open={isOpen} onToggle={() => setIsOpen(!isOpen)}>
      {lines.map(([label, line]) => (
        <div key={label} className="mt-2">
          <p className="flex flex-wrap items-center justify-between gap-x-4 text-body text-soft">
            <span>{label}</span>
            <TextButton aria-label={texts.copyLine({ label })} onClick={() => void copyText(line, texts.lineCopied())}>
              {commonTexts.copy()}
            </TextButton>
          </p>
          <code translate="no" className="font-[ui-monospace,monospace] text-note wrap-anywhere select-all">
            {line}
          </code>
        </div>
      ))}
    </Disclosure>
  )
}
