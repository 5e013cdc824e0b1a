import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import type { RealInstant } from "@carteiro/owners/RealTime.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, Effect, Layer } from "effect"
import type { StoredAuditEntry } from "./AuditEntry.ts"
import { AuditRepo } from "./AuditRepo.ts"

/** A change to write down; people act in real time. */
type ChangeEntry = Omit<StoredAuditEntry, "id" | "created_at"> & { readonly created_at: RealInstant }

/** Writes down the changes that people make in an organization. */
export class AuditLog extends Context.Service<
  AuditLog,
  {
    /** Writes a change down. */
    record(organizationId: string, entry: ChangeEntry): Effect.Effect<void, ApiError>
  }
>()("@carteiro/runtime/audit/AuditLog") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* AuditRepo
      const commit = yield* Commit
      const ids = yield* Ids
      return AuditLog.of({
        record: (organization_id, entry) =>
          Effect.asVoid(
            commit.write([repo.insert({ ...entry, organization_id, id: ids.mint("adt", entry.created_at) })])
          )
      })
    })
  )
}
