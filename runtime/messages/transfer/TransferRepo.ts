import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { readTogether } from "@carteiro/tables/ReadTogether.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { hasWaiting } from "../../phone-numbers/PhoneNumbers.ts"
import { dueColumns, dueJoins } from "../facts/DueRepo.ts"
import type { DueMessage } from "../facts/SendingFacts.ts"

/** A message in an environment that its number has left. */
export interface FormerMessage extends DueMessage {
  readonly environment_id: string
}

/** Reads for numbers that move between environments. */
export class TransferRepo extends Context.Service<
  TransferRepo,
  {
    /** True when messages of a number are queued, held or being sent. */
    hasWaiting(environmentId: string, numberId: string): Effect.Effect<boolean>
    /**
     * Returns when the next message is due in an environment that the number has left; undefined for never. Concurrent
     * reads of several numbers share one statement.
     */
    nextFormer(numberId: string): Effect.Effect<number | undefined>
    /** Returns the messages that are due there, at most `limit` per environment. */
    formerSteps(numberId: string, now: number, limit: number): Effect.Effect<ReadonlyArray<FormerMessage>>
  }
>()("@carteiro/runtime/messages/transfer/TransferRepo") {
  static readonly layer = Layer.effect(
    TransferRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const nextFormer = yield* readTogether((numberIds: ReadonlyArray<string>) =>
        Effect.map(
          many(sql.unsafe<{ readonly due_at: number | null }>(nextFormerSql, [arrayParameter("text", numberIds)])),
          (rows) => rows.map(({ due_at }) => due_at ?? undefined)
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
        formerSteps: (numberId, now, limit) =>
          many(
            sql.unsafe<FormerMessage>(
              `select m.environment_id, ${dueColumns} from ${formerOf("$1")} cross join lateral (
                  select * from messages where business_id = $1 and environment_id = e.environment_id and due_at <= $2
                    and ${isStep} order by due_at, id limit $3::int4) m ${dueJoins}`,
              [numberId, instant(now), limit]
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

const nextFormerSql = `select (select min(m.due_at) from ${formerOf("k.id")} cross join lateral (
    select due_at from messages where business_id = k.id and environment_id = e.environment_id and ${isStep}
    order by due_at limit 1) m) as due_at
  from unnest($1::text[]) with ordinality as k(id, ask) order by k.ask`
