import { one } from "@carteiro/tables/Read.ts"
import { type JsonText, json, jsonText, readJson } from "@carteiro/tables/StoredJson.ts"
import { rowOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite, type Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { EligibilityState } from "./Eligibility.ts"

/** Rows of `group_eligibility`, always within one environment. */
export class EligibilityRepo extends Context.Service<
  EligibilityRepo,
  {
    find(environmentId: string, phoneNumberId: string): Effect.Effect<EligibilityState | undefined>
    /**
     * Writes an eligibility that was decided on the version that was read; when the version has changed, nothing of the
     * unit is written.
     */
    save(eligibility: EligibilityState): Row
  }
>()("@carteiro/runtime/groups/participants/EligibilityRepo") {
  static readonly layer = Layer.effect(
    EligibilityRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      EligibilityRepo.of({
        find: (environmentId, phoneNumberId) =>
          one(
            sql<EligibilityRow>`select * from group_eligibility
              where environment_id = ${environmentId} and phone_number_id = ${phoneNumberId}`,
            stateOf
          ),
        save: ({ check, reasons, ...known }) =>
          saveEligibility.row({
            ...known,
            reasons: jsonText(reasons),
            check_state: check?.state ?? null,
            check_queued_at: check?.queued_at ?? null,
            check_answers: check?.answers ?? null,
            check_due_at: check?.due_at ?? null
          })
      })
    )
  )
}

interface EligibilityRow extends Omit<EligibilityState, "reasons" | "check"> {
  readonly reasons: JsonText<EligibilityState["reasons"]>
  readonly check_state: "queued" | "running" | null
  readonly check_queued_at: number | null
  readonly check_answers: number | null
  readonly check_due_at: number | null
}

const stateOf = (row: EligibilityRow): EligibilityState => ({
  environment_id: row.environment_id,
  phone_number_id: row.phone_number_id,
  environment: row.environment,
  status: row.status,
  reasons: readJson(row.reasons),
  checked_at: row.checked_at,
  check_requested_at: row.check_requested_at,
  version: row.version,
  check:
    row.check_state === null || row.check_queued_at === null || row.check_due_at === null
      ? null
      : {
          state: row.check_state,
          queued_at: row.check_queued_at,
          answers: row.check_answers,
          due_at: row.check_due_at
        }
})

const moving = {
  status: "text",
  reasons: json<EligibilityState["reasons"]>(),
  checked_at: "timestamptz",
  check_requested_at: "timestamptz",
  check_state: "text",
  check_queued_at: "timestamptz",
  check_answers: "timestamptz",
  check_due_at: "timestamptz"
} as const
const moved = Object.keys(moving)

/** Version 0 inserts the row; when the row already exists, nothing of the unit is written. */
const saveEligibility = defineWrite({
  name: "group_eligibility.save",
  columns: { environment_id: "text", phone_number_id: "text", environment: "text", ...moving, version: "int8" },
  target: rowOf("group_eligibility", "environment_id", "phone_number_id"),
  guard: (asked) => `select r.unit from ${asked} r
    left join lateral (select version from group_eligibility t where t.environment_id = r.environment_id
      and t.phone_number_id = r.phone_number_id for update) t on true
    where coalesce(t.version, 0) = r.version`,
  sql: (source) => `insert into group_eligibility as t (environment_id, phone_number_id, environment,
      ${moved.join(", ")}, version)
    select r.environment_id, r.phone_number_id, r.environment, ${moved.map((name) => `r.${name}`).join(", ")}, 1
    from ${source} r order by r.environment_id, r.phone_number_id
    on conflict (environment_id, phone_number_id) do update set
      ${moved.map((name) => `${name} = excluded.${name}`).join(", ")}, version = t.version + 1`
})
