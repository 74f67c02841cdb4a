import type { Language } from '@deeb/core/languages'
import * as texts from '@deeb/texts/language'
import { LanguageField } from '../language/LanguageField.tsx'
import { showIn } from '../language/show-in.ts'
import { FormError } from '../ui/FormError.tsx'
import { showFailure } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { useUpdateLanguage } from './account-queries.ts'

/** The language of the user, on all devices and in emails. */
export function LanguageSetting() {
  const { mutateAsync } = useUpdateLanguage()
  const [, run, failure] = useBusy()
  async function choose(language: Language): Promise<void> {
    await mutateAsync(language)
    await showIn(language)
  }
  return (
    <div>
      <LanguageField
        onChoose={(language) =>
          run(() =>
            choose(language).catch((error: unknown) => {
              showFailure(texts.notSaved())
              throw error
            }),
          )
        }
      />
      <FormError>{failure}</FormError>
    </div>
  )
}
