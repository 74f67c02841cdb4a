import * as texts from '@deeb/texts/pictures'
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import { download } from '../device/download.ts'
import { IS_NATIVE } from '../device/platform.ts'
import { useHome } from '../focus/day-queries.ts'
import { Button } from '../ui/Button.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { SwitchRow } from '../ui/SwitchRow.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { showFailure } from '../ui/toast.ts'
import { pngOf, svgText } from './picture.ts'

interface PictureSheetProps {
  title: string
  /** Without its extension. */
  fileName: string
  /** Whether it can also be saved as SVG. */
  hasSvg?: boolean
  onClose: () => void
  /** Draws the picture. `name` is the username, or null unless the user has switched it on. */
  children: (ref: Ref<SVGSVGElement>, name: string | null) => ReactNode
}

/** Shows a picture as it will be, with ways to keep it. */
export function PictureSheet({ title, fileName, hasSvg = false, onClose, children }: PictureSheetProps) {
  const username = useHome().data?.profile.username
  const [isNamed, setIsNamed] = useState(false)
  const svg = useRef<SVGSVGElement>(null)
  const png = usePng(svg, `${fileName}.png`, isNamed)
  const canShare = png !== null && Boolean(navigator.canShare?.({ files: [png] }))

  async function share(): Promise<void> {
    if (!png) return
    try {
      await navigator.share({ files: [png] })
    } catch (error) {
      // The user may close the dialog of the system.
      if (!(error instanceof Error && error.name === 'AbortError')) showFailure(texts.shareFailed())
    }
  }

  function saveSvg(): void {
    if (svg.current) download(`${fileName}.svg`, svgText(svg.current), 'image/svg+xml')
  }

  return (
    <Sheet title={title} onDismiss={onClose}>
      <div className="mt-2" translate="no">
        {children(svg, isNamed && username ? shortened(username) : null)}
      </div>
      {username ? (
        <div className="mt-3">
          <SwitchRow label={texts.withName()} checked={isNamed} onChange={setIsNamed} />
        </div>
      ) : null}
      <div className="mt-3 flex flex-col gap-3">
        {canShare ? (
          <Button kind="primary" onClick={() => void share()}>
            {texts.share()}
          </Button>
        ) : null}
        {/* A native web view cannot download files. */}
        {IS_NATIVE ? (
          canShare ? null : (
            <p className="text-body text-soft">{texts.inBrowser()}</p>
          )
        ) : (
          <Button
            kind={canShare ? 'secondary' : 'primary'}
            busy={!png}
            onClick={() => png && download(png.name, png, png.type)}
          >
            {texts.savePng()}
          </Button>
        )}
        {hasSvg && !IS_NATIVE ? <TextButton onClick={saveSvg}>{texts.saveSvg()}</TextButton> : null}
      </div>
    </Sheet>
  )
}

const MAX_NAME = 32

/** Fits beside what else is in a picture. */
function shortened(name: string): string {
  const letters = [...name]
  return letters.length > MAX_NAME ? `${letters.slice(0, MAX_NAME - 1).join('')}…` : name
}

/** The picture as a file; null until it is made. Made before it is asked for: browsers allow sharing only right after a press. */
function usePng(svg: { current: SVGSVGElement | null }, name: string, isNamed: boolean): File | null {
  const [made, setMade] = useState<{ file: File; isNamed: boolean } | null>(null)
  useEffect(() => {
    let isStale = false
    const { current } = svg
    if (!current) return
    pngOf(current).then(
      (blob) => {
        if (!isStale) setMade({ file: new File([blob], name, { type: blob.type }), isNamed })
      },
      () => {
        if (!isStale) showFailure(texts.failed())
      },
    )
    return () => {
      isStale = true
    }
  }, [svg, name, isNamed])
  // The one without a name must not be replaced late by one with it, or the other way round.
  return made?.isNamed === isNamed ? made.file : null
}
