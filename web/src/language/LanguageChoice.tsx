import type { Language } from '@deeb/core/languages'
import * as texts from '@deeb/texts/language'
import { showFailure } from '../ui/toast.ts'
import { LanguageField } from './LanguageField.tsx'
import { showIn } from './show-in.ts'

/** The language of this browser, for a visitor. */
export default function LanguageChoice() {
  async function choose(language: Language): Promise<void> {
    try {
      await showIn(language)
    } catch (error) {
      showFailure(texts.notSaved())
      throw error
    }
  }
  return <LanguageField onChoose={choose} />
}
