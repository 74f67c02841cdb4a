import { useEffect } from 'react'

/** The browser tab's title while the screen is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · deeb`
  }, [title])
}
