import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { insertWebhook, insertWork, sealBody } from "@carteiro/owners/Inbox.ts"
import { Activations } from "@carteiro/owners/Owner.ts"
import type { ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import type { WorkPlace } from "./VendorWork.ts"

/** Work with a call that is being stored. */
export interface StoredWork extends WorkPlace {
  /** Our ids of the messages whose statuses the call tells: none of them is sent again before the owner has looked. */
  readonly reported?: ReadonlyArray<string>
}

/** A vendor's call, proven to be its own. */
export interface VendorCall {
  readonly vendor: string
  /** What makes a repeated call the same call; null for vendors that name none. */
  readonly unique_key: string | null
  /** The bytes as received. */
  readonly body: Uint8Array
  /** It tells a secret: it is sealed where it is stored. */
  readonly secret?: boolean
  /** Epoch milliseconds. */
  readonly at: number
  /** Without any, the call is kept and nobody works on it. */
  readonly work: ReadonlyArray<StoredWork>
}

/**
 * Takes calls of vendors: stored as they came in a commit of their own before they are answered, and then work of the
 * owners they name, which may look at them more than once. Architecture, section 2
 */
export class VendorInbox extends Context.Service<
  VendorInbox,
  { store(call: VendorCall): Effect.Effect<void, ServiceUnavailable> }
>()("@carteiro/runtime/vendor-webhooks/VendorInbox") {
  static readonly layer = Layer.effect(
    VendorInbox,
    Effect.gen(function* () {
      const commit = yield* Commit
      const ids = yield* Ids
      const activations = yield* Activations
      const secrets = yield* Secrets
      return VendorInbox.of({
        store: ({ at, body, secret = false, unique_key, vendor, work }) =>
          Effect.suspend(() => {
            const webhook_id = ids.mint("vwh", at)
            const rows: ReadonlyArray<Row> = [
              insertWebhook.row({
                id: webhook_id,
                vendor,
                unique_key,
                body: secret ? sealBody(secrets, webhook_id, body) : body,
                received_at: at
              }),
              ...work.map(({ owner_id, owner_type, reported }) =>
                insertWork.row({
                  owner_type,
                  owner_id,
                  webhook_id,
                  vendor,
                  unique_key,
                  reported_messages: reported === undefined || reported.length === 0 ? null : reported.join(" "),
                  due_at: at
                })
              )
            ]
            // No idempotency key goes with it, so there is no duplicate to meet.
            const written = Effect.catchTag(commit.write(rows), "idempotency_duplicate", Effect.die)
            return Effect.map(written, () => {
              for (const { owner_id, owner_type } of work) activations.wake(owner_type, owner_id)
            })
          })
      })
    })
  )
}
