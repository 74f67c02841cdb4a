/** The part of Web NFC that is used here. TypeScript has no types for it. */
interface TagWriter {
  write(message: { records: { recordType: 'url'; data: string }[] }, options: { signal: AbortSignal }): Promise<void>
}

type Window = { NDEFReader?: new () => TagWriter }

/** Whether this browser writes NFC tags. */
export function canWriteTags(): boolean {
  return 'NDEFReader' in window
}

/** Writes a link to the next NFC tag that the device meets. Rejects with a DOMException, as of a refused permission. */
export async function writeTag(link: string, signal: AbortSignal): Promise<void> {
  const { NDEFReader } = window as Window
  if (!NDEFReader) throw new Error('This browser writes no tags.')
  await new NDEFReader().write({ records: [{ recordType: 'url', data: link }] }, { signal })
}
