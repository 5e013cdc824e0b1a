import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { readTogether } from "@carteiro/tables/ReadTogether.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { hasWaiting } from "../../phone-numbers/PhoneNumbers.ts"
import { dueColumns, dueJoins } from "../facts/DueRepo.ts"
import type { DueMessage } from "../facts/SendingFacts.ts"

/** An environment that a number has left, and when the next of its messages there is due, on the clock there. */
export interface FormerPlace {
  readonly environment_id: string
  readonly due_at: number
}

/** Reads for numbers that move between environments. */
export class TransferRepo extends Context.Service<
  TransferRepo,
  {
    /** True when messages of a number are queued, held or being sent. */
    hasWaiting(environmentId: string, numberId: string): Effect.Effect<boolean>
    /**
     * Returns the environments that the number has left and that still hold due messages of it. Concurrent reads of
     * several numbers share one statement.
     */
    nextFormer(numberId: string): Effect.Effect<ReadonlyArray<FormerPlace>>
    /** Returns messages that are due in one of them by an instant on the clock there. */
    formerSteps(
      numberId: string,
      environmentId: string,
      now: number,
      limit: number
    ): Effect.Effect<ReadonlyArray<DueMessage>>
  }
>()("@carteiro/runtime/messages/transfer/TransferRepo") {
  static readonly layer = Layer.effect(
    TransferRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const nextFormer = yield* readTogether((numberIds: ReadonlyArray<string>) =>
        Effect.map(
          many(sql.unsafe<FormerPlace & { readonly ask: number }>(nextFormerSql, [arrayParameter("text", numberIds)])),
          (rows) => {
            const places = Map.groupBy(rows, ({ ask }) => ask)
            return numberIds.map((_, index): ReadonlyArray<FormerPlace> => places.get(index + 1) ?? [])
          }
        )
      )
      return TransferRepo.of({
        hasWaiting: (environmentId, numberId) =>
          Effect.map(
            one(
              sql.unsafe<{ readonly waits: boolean }>(
                `select ${hasWaiting} as waits from (select $1::text as environment_id, $2::text as id) t`,
                [environmentId, numberId]
              )
            ),
            (row) => row?.waits ?? false
          ),
        nextFormer,
        formerSteps: (numberId, environmentId, now, limit) =>
          many(
            sql.unsafe<DueMessage>(
              `select ${dueColumns} from (
                  select * from messages where business_id = $1 and environment_id = $2 and due_at <= $3
                    and ${isStep} order by due_at, id limit $4::int4) m ${dueJoins}`,
              [numberId, environmentId, instant(now), limit]
            )
          )
      })
    })
  )
}

/** Returns the SQL of the environments that a number has left, as `e`. */
const formerOf = (
  number_id: string
): string => `(select distinct f.environment_id from phone_number_transfers f where f.phone_number_id = ${number_id}
    and not exists (select 1 from phone_numbers n where n.id = ${number_id} and n.environment_id = f.environment_id)) e`
const isStep = "due_at is not null and (status <> 'queued' or status_reason is not null)"

const nextFormerSql = `select k.ask::int4 as ask, e.environment_id, m.due_at
  from unnest($1::text[]) with ordinality as k(id, ask)
  cross join lateral ${formerOf("k.id")}
  cross join lateral (
    select due_at from messages where business_id = k.id and environment_id = e.environment_id and ${isStep}
    order by due_at limit 1) m`
