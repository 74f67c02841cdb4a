import { readCircles } from '@deeb/core/circles/api'
import { createInvitation } from '@deeb/core/invitations/api'
import { circleLink, companyLink } from '@deeb/core/invitations/invitation'
import * as texts from '@deeb/texts/team'
import { api } from '../calls/api.ts'
import { SERVER } from '../device/platform.ts'
import { showFailure, showToast } from '../ui/toast.ts'

/** Copies a link for colleagues, and shows a toast. Where the browser does not allow it, the toast shows the link. */
export async function copyLink(link: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(link)
    showToast({ title: texts.linkCopied(), description: texts.sendLink(), tone: 'success' })
  } catch {
    showFailure(texts.copyFailed({ link }))
  }
}

/** Makes a link that invites to the company of the user, and copies it. */
export async function copyInviteLink(): Promise<void> {
  try {
    const { signature } = await api(createInvitation, {})
    await copyLink(companyLink(SERVER || window.location.origin, signature))
  } catch {
    showFailure(texts.inviteFailed())
  }
}

/** Copies the link of a circle of the user. It names the user. */
export async function copyCircleLink({ id, name }: { id: string; name: string }): Promise<void> {
  try {
    const { circles } = await api(readCircles, {})
    const circle = circles.find((other) => other.id === id)
    if (!circle?.invite) showFailure(texts.noCircleLink({ circle: name }))
    else await copyLink(circleLink(SERVER || window.location.origin, circle.invite, circle.signature))
  } catch {
    showFailure(texts.inviteFailed())
  }
}
