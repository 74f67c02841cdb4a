import * as texts from '@deeb/texts/report'
import { useCompany } from '../stats/company-page.ts'
import { FormError } from '../ui/FormError.tsx'
import { SwitchRow } from '../ui/SwitchRow.tsx'
import { showFailure } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { useSetInReport } from './report-queries.ts'

/** The switch with which a person is counted in the report of the company, or not. */
export function CountMeIn({ label }: { label: string }) {
  const { data: company } = useCompany()
  const { mutateAsync, isPending, variables } = useSetInReport()
  const [, run, failure] = useBusy()
  if (!company) return null
  function change(inReport: boolean): void {
    void run(() => mutateAsync(inReport).catch(() => showFailure(texts.settingNotSaved())))
  }
  return (
    <>
      <SwitchRow
        label={label}
        checked={isPending ? variables : company.inReport}
        disabled={isPending}
        onChange={change}
      />
      <FormError>{failure}</FormError>
    </>
  )
}
