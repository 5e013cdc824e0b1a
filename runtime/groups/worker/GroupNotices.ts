import { Ids } from "@carteiro/owners/Ids.ts"
import { UpstreamNotices } from "@carteiro/provider/ChatNotices.ts"
import type { GroupNotice } from "@carteiro/provider/GroupProvider.ts"
import { Context, Effect } from "effect"
import { NumberDirectory } from "../../phone-numbers/PhoneNumbers.ts"
import { type ToldCall, vendorOwners } from "../../vendor-webhooks/VendorOwners.ts"
import { GroupRepo } from "../group/GroupRepo.ts"
import { PhoneGroupsEntity } from "./PhoneGroupsEntity.ts"
import { UpstreamGroupsWorker } from "./UpstreamGroupsWorker.ts"

/** True when reports are handled; otherwise they are stored and matched to no group. C-GRP-76 */
export const ReportsEnabled = Context.Reference<boolean>("@carteiro/runtime/groups/worker/ReportsEnabled", {
  defaultValue: () => false
})

/** Hosts the owners: each notice goes to the groups of its number. */
export const upstreamGroupsOwners = vendorOwners(
  UpstreamGroupsWorker,
  Effect.gen(function* () {
    const read = yield* UpstreamNotices
    const isEnabled = yield* ReportsEnabled
    const numbers = yield* NumberDirectory
    const repo = yield* GroupRepo
    const ids = yield* Ids
    const groups = yield* PhoneGroupsEntity.client

    /** Passes a notice on; true when a number of ours knows its group or request. */
    const tell = Effect.fnUntraced(function* (phoneNumberId: string, notice: GroupNotice) {
      if (notice.kind === "group_participant") {
        const { action, at, chat_id, initiated_by, provider_group_id } = notice
        const group = yield* repo.ofProvider(phoneNumberId, provider_group_id)
        if (group === undefined) return false
        const { environment_id, id } = group
        const told = { trace_id: ids.traceId(), environment_id, id, chat_id, action, initiated_by, at }
        yield* Effect.orDie(groups.Participate(phoneNumberId, { ...told, is_simulated: false }))
        return true
      }
      const { provider_group_id, request_id } = notice
      const requested = request_id === null ? undefined : yield* repo.ofRequest(phoneNumberId, request_id)
      const group =
        requested ?? (provider_group_id === null ? undefined : yield* repo.ofProvider(phoneNumberId, provider_group_id))
      if (group === undefined) return false
      const { environment_id, id } = group
      yield* Effect.orDie(groups.Report(phoneNumberId, { environment_id, id, report: reportOf(notice) }))
      return true
    })

    return Effect.fnUntraced(function* ({ body, subject }: ToldCall) {
      const notices = isEnabled ? (read(body).groups.get(subject) ?? []) : []
      if (notices.length === 0) return undefined
      const hosts = yield* numbers.ofUpstream(subject)
      const isKnown = yield* Effect.forEach(notices, (notice) =>
        Effect.map(
          Effect.forEach(hosts, (id) => tell(id, notice)),
          (known) => known.some(Boolean)
        )
      )
      // A report may arrive before the response to its request is written; a repeated report does no harm.
      return isKnown.every(Boolean) ? undefined : "again"
    })
  })
)

const reportOf = (notice: Exclude<GroupNotice, { readonly kind: "group_participant" }>) => {
  switch (notice.kind) {
    case "group_suspension": {
      const { at, is_suspended } = notice
      return { _tag: "Suspension", is_suspended, at } as const
    }
    case "group_created": {
      const { invite_link, provider_group_id } = notice
      return { _tag: "Created", provider_group_id, invite_link } as const
    }
    case "group_deleted":
      return { _tag: "Deleted" } as const
    case "group_refused":
      return { _tag: "Refused", message: notice.message } as const
  }
}
