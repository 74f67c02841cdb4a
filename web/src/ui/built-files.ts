import { createContext } from 'react'

/** The files that a static page loads. */
export interface BuiltFiles {
  /** The URL of a built script or style sheet, by its path in web/. */
  urlOf(source: string): string
  /** The font of the pages, to load early. Null on the dev server. */
  font: string | null
}

/** The files of the page; by default the sources, as the dev server has them. */
export const BuiltFilesContext = createContext<BuiltFiles>({ urlOf: (source) => `/${source}`, font: null })
