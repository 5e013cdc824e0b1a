import { BoundedMap } from "@carteiro/owners/BoundedMap.ts"
import type { DueOwners } from "@carteiro/owners/DueWork.ts"
import { type Standing, type TurnedRow, turnedOf } from "@carteiro/owners/OwnerClocks.ts"
import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { readTogether } from "@carteiro/tables/ReadTogether.ts"
import { insertInto, rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import { walkOwners } from "@carteiro/tables/WalkOwners.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { AdvanceState, ClockState } from "./ClockRules.ts"
import { advanceColumns, clockColumns, sandboxClockAdvancesTable, sandboxClocksTable } from "./ClockTables.ts"

/** The clocks of sandboxes and their advances. No method reads or writes a production environment's. */
export class ClockRepo extends Context.Service<
  ClockRepo,
  {
    /** Returns the clock; undefined before its first turn. */
    find(environmentId: string): Effect.Effect<ClockState | undefined>
    /** Returns the advance under way. */
    findRunning(environmentId: string): Effect.Effect<AdvanceState | undefined>
    findAdvance(environmentId: string, id: string): Effect.Effect<AdvanceState | undefined>
    /** Writes the whole clock; its first turn inserts it. */
    save(environmentId: string, clock: ClockState): Row
    begin(environmentId: string, advance: AdvanceState): Row
    /** Writes the progress of an advance. */
    move(environmentId: string, advance: AdvanceState): Row
    /** Returns the clock of an owner, by the environment to which the owner belongs. */
    standing(ownerId: string): Effect.Effect<Standing>
    /** Returns the slug of the environment's project. */
    findSlug(environmentId: string): Effect.Effect<string | undefined>
  }
>()("@carteiro/runtime/sandbox/clock/ClockRepo") {
  static readonly layer = Layer.effect(
    ClockRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const homes = new BoundedMap<string, string>(mostHomes)
      const standings = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
        const rows = yield* many(sql.unsafe<StandingRow>(standingSql, [arrayParameter("text", ids)]))
        for (const { environment_id, id, kind } of rows) {
          if (kind === "sandbox" && id !== environment_id) homes.set(id, environment_id)
        }
        return new Map(rows.map((row) => [row.id, toStanding(row)]))
      })
      const standing = yield* readTogether(
        Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
          const byOwner = yield* standings(ids)
          const left = ids.flatMap((id) => (byOwner.has(id) ? [] : (homes.get(id) ?? [])))
          const byHome = left.length === 0 ? byOwner : yield* standings([...new Set(left)])
          return ids.map((id): Standing => byOwner.get(id) ?? byHome.get(homes.get(id) ?? "") ?? "unturned")
        })
      )
      return ClockRepo.of({
        find: (environmentId) =>
          one(sql<ClockState>`select ${sql.literal(clockColumns.list)} from sandbox_clocks
            where environment_id = ${environmentId}`),
        findRunning: (environmentId) =>
          one(
            sql.unsafe<AdvanceState>(`${advanceSql} where environment_id = $1 and status = 'running'`, [environmentId])
          ),
        findAdvance: (environmentId, id) =>
          one(sql.unsafe<AdvanceState>(`${advanceSql} where environment_id = $1 and id = $2`, [environmentId, id])),
        save: (environment_id, clock) => saveClock.row({ environment_id, ...clock }),
        begin: (environment_id, advance) => beginAdvance.row({ environment_id, ...advance }),
        move: (environment_id, advance) => {
          const { id, status, reached_at, next_due_at, settled_at, steps, step_began_at } = advance
          const { error_code, error_message } = advance
          return moveAdvance.row({
            environment_id,
            id,
            status,
            reached_at,
            next_due_at,
            settled_at,
            steps,
            step_began_at,
            error_code,
            error_message
          })
        },
        findSlug: (environmentId) =>
          Effect.map(
            one(sql<{ readonly slug: string }>`select p.slug from environments e
              join projects p on p.organization_id = e.organization_id and p.id = e.project_id
              where e.id = ${environmentId} and e.kind = 'sandbox'`),
            (row) => row?.slug
          ),
        standing: (ownerId) => (ofSandbox.test(ownerId) ? standing(ownerId) : Effect.succeed("real"))
      })
    })
  )
}

/**
 * The most owners of sandboxes whose environment is cached, some 150 bytes each: an owner whose row a reset deleted
 * still finds out by it that its memory has ended.
 */
const mostHomes = 50_000

/** Returns turned clocks that are due. */
export const dueClocks: DueOwners["due"] = walkOwners("select environment_id as owner, due_at from sandbox_clocks")

/** Matches ids of owners that belong to an environment; all others use real time. */
const ofSandbox = /^(?:env|pn|pcn|npc|we|bat|pno)_/u

// An owner is found by the unique index of the table that its prefix names.
const standingSql = `select a.id, e.id as environment_id, e.kind, c.lead_ms, c.stands_at, c.resets, c.resetting
  from unnest($1::text[]) a(id)
  cross join lateral (
    select a.id as environment_id where a.id like 'env\\_%'
    union all select n.environment_id from phone_numbers n where a.id like 'pn\\_%' and n.id = a.id
    union all select p.environment_id from provider_connections p where a.id like 'pcn\\_%' and p.id = a.id
    union all select m.environment_id from numprov_connections m where a.id like 'npc\\_%' and m.id = a.id
    union all select w.environment_id from webhook_endpoints w where a.id like 'we\\_%' and w.id = a.id
    union all select b.environment_id from batches b where a.id like 'bat\\_%' and b.id = a.id
    union all select o.environment_id from phone_number_orders o where a.id like 'pno\\_%' and o.id = a.id
    limit 1) o
  cross join lateral (select * from environments e where e.id = o.environment_id limit 1) e
  left join lateral (select * from sandbox_clocks c
    where e.kind = 'sandbox' and c.environment_id = e.id limit 1) c on true`

interface StandingRow extends TurnedRow {
  readonly id: string
  readonly environment_id: string
  readonly kind: "sandbox" | "production"
}

const toStanding = (row: StandingRow): Standing => (row.kind === "production" ? "real" : (turnedOf(row) ?? "unturned"))

const advanceSql = `select ${advanceColumns.list} from sandbox_clock_advances`

const saveClock = insertInto(sandboxClocksTable, {
  columns: ["environment_id", "lead_ms", "stands_at", "due_at", "resets", "resetting"],
  conflict: { on: ["environment_id"], update: ["lead_ms", "stands_at", "due_at", "resets", "resetting"] },
  target: rowOf("sandbox_clocks", "environment_id")
})

const moved = [
  "status",
  "reached_at",
  "next_due_at",
  "settled_at",
  "steps",
  "step_began_at",
  "error_code",
  "error_message"
] as const

const beginAdvance = insertInto(sandboxClockAdvancesTable, {
  columns: ["environment_id", "id", "kind", "request_key", ...moved, "from_at", "target_at", "stood", "created_at"],
  conflict: { on: ["environment_id", "id"] },
  target: rowOf("sandbox_clock_advances", "environment_id", "id")
})

const moveAdvance = updateOf(sandboxClockAdvancesTable, {
  name: "sandbox_clock_advances.move",
  set: moved,
  where: "t.status = 'running'"
})
