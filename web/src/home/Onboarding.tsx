import { UsernameDialog } from '../account/UsernameDialog.tsx'
import { GoalsDialog } from '../goals/GoalsDialog.tsx'

/** The dialogs of a new user: first the username, then the goals. */
export default function Onboarding({ step }: { step: 'username' | 'goals' }) {
  return step === 'username' ? <UsernameDialog /> : <GoalsDialog />
}
