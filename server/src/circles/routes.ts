import {
  closeCircle as closeEndpoint,
  createCircle as createEndpoint,
  hidePerson as hideEndpoint,
  joinCircle as joinEndpoint,
  leaveCircle as leaveEndpoint,
  changeCircleLink as linkEndpoint,
  previewCircle as previewEndpoint,
  readCircles as readEndpoint,
  removeMember as removeEndpoint,
  renameCircle as renameEndpoint,
} from '@deeb/core/circles/api'
import {
  setQuietTimes as quietEndpoint,
  skipWeek as skipEndpoint,
  takePart as takePartEndpoint,
} from '@deeb/core/circles/quiet-api'
import type { Keys } from '../config/keys.ts'
import type { RouteDeps, Serve } from '../http/serve.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { changeCircleLink } from './change-circle-link.ts'
import { type Changed, requireCircles } from './circle.ts'
import { closeCircle } from './close-circle.ts'
import { createCircle } from './create-circle.ts'
import { hidePerson } from './hide-person.ts'
import { joinCircle } from './join-circle.ts'
import { leaveCircle } from './leave-circle.ts'
import { previewCircle } from './preview-circle.ts'
import { readCircles } from './read-circles.ts'
import { removeMember } from './remove-member.ts'
import { renameCircle } from './rename-circle.ts'
import { setQuietTimes } from './set-quiet-times.ts'
import { skipWeek, takePart } from './take-part.ts'

type CirclesDeps = RouteDeps & { keys: Pick<Keys, 'invitationKeys'> }

export function circlesRoutes({ serve, db, publish, withinLimit, circleSize, keys }: CirclesDeps): void {
  const serveUnlessOff: Serve = (endpoint, limit, handle) =>
    serve(endpoint, limit, async (call) => {
      requireCircles(circleSize)
      return handle(call)
    })
  const teamChanged = (userIds: string[]) => {
    for (const userId of userIds) publish({ kind: 'team', id: userId })
  }
  /** Publishes that the team of all members has changed, and returns the answer. */
  const published = async <Answer>(change: Promise<Answer & Changed>): Promise<Answer> => {
    const answer = await change
    teamChanged(answer.members)
    return answer
  }

  serveUnlessOff(readEndpoint, LIMITS.read, ({ actor, now }) => readCircles(db, keys, actor, circleSize, now))
  serveUnlessOff(createEndpoint, LIMITS.write, async ({ actor, input, now }) => {
    const create = () => createCircle(db, actor, input, now)
    const answer = await withinLimit(LIMITS.newCircle, actor.userId, create, 'too_many_circles')
    teamChanged([actor.userId])
    return answer
  })
  serveUnlessOff(previewEndpoint, LIMITS.circlePreview, ({ actor, input, now }) => previewCircle(db, actor, input, now))
  serveUnlessOff(joinEndpoint, LIMITS.joinCircle, ({ actor, input, now }) =>
    published(joinCircle(db, actor, input, circleSize, now)),
  )
  // Always possible: it only takes sight away.
  serve(leaveEndpoint, LIMITS.write, ({ actor, input }) => published(leaveCircle(db, actor, input)))
  serveUnlessOff(renameEndpoint, LIMITS.changeCircle, ({ actor, input }) => published(renameCircle(db, actor, input)))
  serveUnlessOff(linkEndpoint, LIMITS.changeCircle, ({ actor, input }) => published(changeCircleLink(db, actor, input)))
  serveUnlessOff(removeEndpoint, LIMITS.write, ({ actor, input }) => published(removeMember(db, actor, input)))
  serveUnlessOff(closeEndpoint, LIMITS.write, ({ actor, input }) => published(closeCircle(db, actor, input)))
  serveUnlessOff(quietEndpoint, LIMITS.changeCircle, ({ actor, input, now }) =>
    published(setQuietTimes(db, actor, input, now)),
  )
  // Only the devices of the actor learn of these.
  const ownChanged = async <Answer>(userId: string, change: Promise<Answer>): Promise<Answer> => {
    const answer = await change
    teamChanged([userId])
    return answer
  }
  serveUnlessOff(takePartEndpoint, LIMITS.write, ({ actor, input }) =>
    ownChanged(actor.userId, takePart(db, actor, input)),
  )
  serveUnlessOff(skipEndpoint, LIMITS.write, ({ actor, input, now }) =>
    ownChanged(actor.userId, skipWeek(db, actor, input, now)),
  )
  serveUnlessOff(hideEndpoint, LIMITS.changeCircle, ({ actor, input, now }) =>
    published(hidePerson(db, actor, input, now)),
  )
}
