import type { DueOwners } from "@carteiro/owners/DueWork.ts"
import { dayMs, hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { instant } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { deleteUpTo, type Job } from "@carteiro/tables/Retention.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { DueEmail } from "./MailOutcome.ts"
import { dueEmailColumns, emailColumns } from "./MailTables.ts"

/** An e-mail as people see it; instants in epoch milliseconds. */
export type StoredEmail = SelectedRow<typeof emailColumns>

/** Rows of `emails`. */
export class MailRepo extends Context.Service<
  MailRepo,
  {
    /** Returns the due e-mails, the longest due first, and the instant at which the next becomes due. */
    due(
      organizationId: string,
      now: number,
      count: number
    ): Effect.Effect<{ readonly emails: ReadonlyArray<DueEmail>; readonly next: number | undefined }>
    /** Newest first, behind an id when given. */
    list(organizationId: string, before: string | undefined, count: number): Effect.Effect<ReadonlyArray<StoredEmail>>
    readonly dueOrganizations: DueOwners["due"]
  }
>()("@carteiro/runtime/mail/MailRepo") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(SqlClient.SqlClient, (sql) =>
      MailRepo.of({
        due: (organizationId, now, count) =>
          Effect.map(
            many(sql<DueEmail & { readonly due_at: number }>`select ${sql.literal(dueEmailColumns.list)}
              from emails where organization_id = ${organizationId} and due_at is not null
              order by due_at, id limit ${count + 1}`),
            (waiting) => ({
              emails: waiting.filter(({ due_at }) => due_at <= now).slice(0, count),
              next: waiting.find(({ due_at }) => due_at > now)?.due_at
            })
          ),
        list: (organizationId, before, count) =>
          many(sql<StoredEmail>`select ${sql.literal(emailColumns.list)}
            from emails where organization_id = ${organizationId} and id < ${before ?? "~"}
            order by id desc limit ${count}`),
        // E-mails that wait are few, and so are those they are of.
        dueOrganizations: (now, after, limit) =>
          Effect.map(
            many(sql<{ readonly id: string }>`select distinct organization_id as id from emails
              where due_at <= ${instant(now)} and organization_id > ${after} order by organization_id limit ${limit}`),
            (rows) => ({ ids: rows.map(({ id }) => id), next: rows.length < limit ? undefined : rows.at(-1)?.id })
          )
      })
    )
  )
}

const keptMs = 90 * dayMs

/** Forgets e-mails after 90 days: they name people. */
export const mailJob: Job = {
  name: "emails.purge",
  everyMs: hourMs,
  run: Effect.flatMap(Clock.currentTimeMillis, (now) => deleteUpTo("emails", "created_at", now - keptMs))
}
