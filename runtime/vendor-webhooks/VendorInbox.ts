import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { Activations } from "@carteiro/owners/Owner.ts"
import type { ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { insertWebhook, insertWork } from "./InboxWrites.ts"
import { sealBody } from "./SealedBody.ts"
import type { WorkPlace } from "./VendorWork.ts"

/** The work of an owner on a call that is being stored. */
export interface StoredWork extends WorkPlace {
  /**
   * Our ids of the messages whose statuses the call reports: none of them is sent again before the owner has handled
   * the report.
   */
  readonly reported?: ReadonlyArray<string>
}

/** A vendor's call whose signature was checked. */
export interface VendorCall {
  readonly vendor: string
  /** The key by which a repeated call is recognised; null for vendors that give none. */
  readonly unique_key: string | null
  /** The bytes as received. */
  readonly body: Uint8Array
  /** True when the body holds a secret: it is then stored encrypted. */
  readonly secret?: boolean
  /** Epoch milliseconds. */
  readonly at: number
  /** Without work the call is stored and no owner works on it. */
  readonly work: ReadonlyArray<StoredWork>
}

/**
 * Takes vendors' calls: each is stored unchanged in a commit of its own before it is answered, and then handled by the
 * owners it names, possibly more than once.
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
            // The write carries no idempotency key, so it cannot meet a duplicate.
            const written = Effect.catchTag(commit.write(rows), "idempotency_duplicate", Effect.die)
            return Effect.map(written, () => {
              for (const { owner_id, owner_type } of work) activations.wake(owner_type, owner_id)
            })
          })
      })
    })
  )
}
