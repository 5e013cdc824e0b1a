import type { DueOwners } from "@carteiro/owners/DueWork.ts"
import { Effect, Layer } from "effect"
import { defineRoom } from "../room/Room.ts"
import { dueInboxes } from "../vendor-webhooks/InboxRepo.ts"
import { InviteHosts } from "./GroupPaths.ts"
import { GroupsHttp } from "./GroupsHttp.ts"
import { groupRenderers } from "./group/GroupRenderers.ts"
import { GroupRepo } from "./group/GroupRepo.ts"
import { EligibilityRepo } from "./participants/EligibilityRepo.ts"
import { GroupChangesHttp } from "./participants/GroupChangesHttp.ts"
import { GroupDirectory } from "./participants/GroupDirectory.ts"
import { participantEraser } from "./participants/ParticipantEraser.ts"
import { ParticipantRepo } from "./participants/ParticipantRepo.ts"
import { GroupCommands } from "./worker/GroupCommands.ts"
import { GroupJobRepo, groupsOfTenant } from "./worker/GroupJobRepo.ts"
import { ReportsEnabled, upstreamGroupsOwners } from "./worker/GroupNotices.ts"
import { PhoneGroupsEntity } from "./worker/PhoneGroupsEntity.ts"
import { phoneGroupsOwners } from "./worker/PhoneGroupsOwners.ts"
import { SandboxGroupsMs } from "./worker/SandboxGroups.ts"
import { UpstreamGroupsWorker } from "./worker/UpstreamGroupsWorker.ts"

/** The settings that the room reads. */
interface GroupSettings {
  readonly sandboxStatusDelayMs: number
  readonly chatappInviteHosts: ReadonlyArray<string>
  readonly groupsUpstreamReportsEnabled: boolean
}

/** Returns numbers whose groups have due tasks. */
const due: DueOwners["due"] = (now, after, limit) =>
  Effect.provide(
    Effect.flatMap(GroupJobRepo, (repo) => repo.dueNumbers(now, after, limit)),
    GroupJobRepo.layer
  )

/** Lets nodes that host no owners wake the owners of reports. */
const waking = Layer.effectDiscard(UpstreamGroupsWorker.client)

const repos = Layer.mergeAll(GroupRepo.layer, EligibilityRepo.layer, ParticipantRepo.layer, GroupJobRepo.layer)

/** The groups room: groups that businesses create on their own numbers. */
export const room = defineRoom({
  name: "groups",
  settings: ({ chatappInviteHosts, groupsUpstreamReportsEnabled, sandboxStatusDelayMs }: GroupSettings) =>
    Layer.mergeAll(
      Layer.succeed(SandboxGroupsMs, sandboxStatusDelayMs),
      Layer.succeed(InviteHosts, chatappInviteHosts),
      Layer.succeed(ReportsEnabled, groupsUpstreamReportsEnabled)
    ),
  services: GroupDirectory.layer.pipe(Layer.provide(Layer.merge(GroupRepo.layer, ParticipantRepo.layer))),
  erasers: Effect.map(participantEraser, (eraser) => [eraser]),
  renderers: Effect.provide(groupRenderers, GroupRepo.layer),
  routes: Layer.mergeAll(GroupsHttp, GroupChangesHttp, waking).pipe(Layer.provide(repos)),
  owners: Layer.merge(phoneGroupsOwners, upstreamGroupsOwners).pipe(
    Layer.provide(GroupCommands.layer),
    Layer.provide(repos)
  ),
  due: [
    Effect.succeed({ type: PhoneGroupsEntity.name, due, ofTenant: groupsOfTenant }),
    Effect.succeed({ type: UpstreamGroupsWorker.name, due: dueInboxes(UpstreamGroupsWorker.name) })
  ]
})
