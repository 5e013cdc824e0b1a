import { Effect } from "effect"
import { Commit } from "../../platform/commit/Commit.ts"
import { readProviderEvent } from "../../platform/inbox/ProviderWebhooks.ts"
import { type ToldCall, vendorOwners } from "../../platform/inbox/VendorOwners.ts"
import { defineOwner } from "../../platform/owner/Owner.ts"
import { PaymentsConnections } from "../../provider-connections/ProviderConnections.ts"
import { hintAuthorization, hintPayment } from "../agentic/AgenticWrites.ts"
import { AgenticWorkerEntity } from "./AgenticWorkerEntity.ts"

/** Works on what a Pix provider tells of an account there, by the connection's id. gaps-3 G "Inbound provider webhooks" */
export const PixNoticesEntity = defineOwner("PixNotices", {})

/** Which of our things an id names, by the prefix. */
const hints = { aga: hintAuthorization, agp: hintPayment } as const

/** Hosts them: whatever is named is looked at now, and only what the provider shows then counts. gaps-3 G "Trust in webhook content" */
export const pixNoticesOwners = vendorOwners(
  PixNoticesEntity,
  Effect.gen(function* () {
    const connections = yield* PaymentsConnections
    const workers = yield* AgenticWorkerEntity.client
    const commit = yield* Commit
    return Effect.fnUntraced(function* ({ body, received_at, subject }: ToldCall) {
      const { external_id } = readProviderEvent(body).data
      const connection = yield* connections.byId(subject)
      if (connection === undefined || typeof external_id !== "string") return
      const hint = Object.entries(hints).find(([prefix]) => external_id.startsWith(`${prefix}_`))?.[1]
      if (hint === undefined) return
      const { environment_id, id: provider_connection_id } = connection
      yield* Effect.orDie(
        commit.write([hint.row({ environment_id, id: external_id, provider_connection_id, at: received_at })])
      )
      workers.wake(environment_id)
    })
  })
)
