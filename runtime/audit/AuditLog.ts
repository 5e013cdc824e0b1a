import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import type { RealInstant } from "@carteiro/owners/RealTime.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, Effect, Layer } from "effect"
import type { AuditEntry, AuditSelection } from "./AuditEntry.ts"
import { AuditRepo } from "./AuditRepo.ts"

/** A change to write down; people act in real time. */
export type NewAuditEntry = Omit<AuditEntry, "id" | "created_at"> & { readonly created_at: RealInstant }

/** The changes that people made in an organization. */
export class AuditLog extends Context.Service<
  AuditLog,
  {
    /** Writes a change down. */
    record(organizationId: string, entry: NewAuditEntry): Effect.Effect<void, ApiError>
    /** Returns changes, newest first. */
    list(organizationId: string, wanted: AuditSelection, count: number): Effect.Effect<ReadonlyArray<AuditEntry>>
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
          ),
        list: repo.list
      })
    })
  )
}
