import { LanguageField } from './LanguageField.tsx'
import { showIn } from './show-in.ts'

/** The language of this browser, for a visitor. */
export default function LanguageChoice() {
  return <LanguageField onChoose={showIn} />
}
