import type { ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { FormError } from '../ui/FormError.tsx'

interface FormEndProps {
  busy: boolean
  failure: string | undefined
  children: ReactNode
}

/** The end of a form that fills its page: why it failed, and the button that sends it. */
export function FormEnd({ busy, failure, children }: FormEndProps) {
  return (
    <>
      <FormError>{failure}</FormError>
      <div className="mt-2">
        <Button kind="primary" type="submit" busy={busy}>
          {children}
        </Button>
      </div>
    </>
  )
}
