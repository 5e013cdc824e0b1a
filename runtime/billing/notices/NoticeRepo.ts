import { many } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** A notice that nobody has dismissed; instants in epoch milliseconds. */
export interface OpenNotice {
  readonly id: string
  readonly kind: string
  /** The id of its subject, such as a top-up. */
  readonly subject_id: string
  readonly text: string
  readonly created_at: number
}

/** Rows of `billing_notices`. */
export class NoticeRepo extends Context.Service<
  NoticeRepo,
  {
    /** Returns notices newest first, at most ten. */
    open(organizationId: string): Effect.Effect<ReadonlyArray<OpenNotice>>
  }
>()("@carteiro/runtime/billing/notices/NoticeRepo") {
  static readonly layer = Layer.effect(
    NoticeRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      NoticeRepo.of({
        open: (organizationId) =>
          many(sql<OpenNotice>`select id, kind, subject_id, text, created_at from billing_notices
            where organization_id = ${organizationId} and dismissed_at is null order by id desc limit 10`)
      })
    )
  )
}
