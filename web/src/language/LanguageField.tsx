import { isLanguage, LANGUAGE_NAMES, LANGUAGES, type Language } from '@deeb/core/languages'
import * as texts from '@deeb/texts/language'
import { useId, useState } from 'react'
import { LANGUAGE } from '../device/language.ts'
import { ChevronDown } from '../ui/icons.tsx'

interface LanguageFieldProps {
  /** Rejects if the choice could not be kept. */
  onChoose: (language: Language) => Promise<unknown>
}

/** The choice of a language, each in its own words. */
export function LanguageField({ onChoose }: LanguageFieldProps) {
  const id = useId()
  const [choosing, setChoosing] = useState<Language>()
  function choose(language: string): void {
    if (!isLanguage(language)) return
    setChoosing(language)
    onChoose(language).catch(() => setChoosing(undefined))
  }
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 text-body">
      <label htmlFor={id}>{texts.language()}</label>
      <span className="relative flex max-w-full items-center">
        <select
          id={id}
          value={choosing ?? LANGUAGE}
          disabled={choosing !== undefined}
          onChange={(event) => choose(event.currentTarget.value)}
          className="min-h-11 max-w-full appearance-none bg-transparent pe-7 text-end text-ink"
        >
          {LANGUAGES.map((language) => (
            <option key={language} value={language} lang={language}>
              {LANGUAGE_NAMES[language]}
            </option>
          ))}
        </select>
        <ChevronDown size={20} className="pointer-events-none absolute end-0 text-soft" />
      </span>
    </div>
  )
}
