const REVOKE_AFTER_MS = 60_000

/** Saves a text or a picture as a file. A native web view cannot. */
export function download(name: string, content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Safari first asks its user, and reads the URL afterwards.
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS)
}
