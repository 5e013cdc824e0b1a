import * as Messages from "@carteiro/runtime/messages/room.ts"
import * as Templates from "@carteiro/runtime/templates/room.ts"
import * as Webhooks from "@carteiro/runtime/webhooks/room.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { sweepFrom } from "../../packages/owners/schedule/Sweeper.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { layerClock } from "../support/TurnedClock.ts"

const owners = 5000

/** Every third owner has something due; the others only wait, and lie between them. */
const dueAt = "timestamptz '2026-01-01T00:00:00Z' + case when n % 3 = 0 then interval '0' else interval '1 hour' end"
const due = Array.from({ length: owners }, (_, n) => n + 1).filter((n) => n % 3 === 0)
const named = (prefix: string) => due.map((n) => `${prefix}_${String(n).padStart(5, "0")}`)
const idOf = (prefix: string) => `'${prefix}_' || lpad(n::text, 5, '0')`

/** The ids a whole walk wakes, sweep by sweep, in the order it reaches them. */
const walk = Effect.fnUntraced(function* (due: Parameters<typeof sweepFrom>[0]) {
  const found: Array<string> = []
  let sweeps = 0
  for (let from = ""; sweeps === 0 || from !== ""; sweeps++) {
    from = yield* sweepFrom(due, from, (id) => found.push(id))
  }
  return { found, sweeps }
})

it.layer(Layer.merge(TestDatabase.layer, layerClock), { excludeTestServices: true })(
  "The sweeper's walk (Architecture, section 2 rule 2)",
  (it) => {
    it.effect("reaches every endpoint with a due attempt among thousands that wait, in several sweeps", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql.unsafe(`insert into webhook_attempts
            (environment_id, webhook_event_id, attempt, id, endpoint_id, status, explicit, due_at, created_at)
          select 'env_1', 'whe_' || n || '_' || a, 1, 'wha_' || n || '_' || a, ${idOf("we")}, 'pending', false, ${dueAt},
            timestamptz '2026-01-01T00:00:00Z'
          from generate_series(1, ${owners}) n, generate_series(1, 3) a`)
        const { found, sweeps } = yield* walk(yield* Webhooks.room.due[0])
        assert.deepStrictEqual(found, named("we"))
        assert.isAbove(sweeps, 1)
      })
    )

    it.effect("reaches every number with a message to send or to move on, each once a walk", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql.unsafe(`insert into messages (environment_id, id, channel, direction, type, status, business_id,
            customer_id, customer_key, trace_id, due_at, created_at, updated_at)
          select 'env_1', 'msg_' || n || s, 'chatapp', 'outbound', 'text', s, ${idOf("pn")}, '+1', '1', 't', ${dueAt},
            timestamptz '2026-01-01T00:00:00Z', timestamptz '2026-01-01T00:00:00Z'
          from generate_series(1, ${owners}) n, unnest(array['queued', 'sent']) s
          where s = 'queued' or n % 2 = 0`)
        const { found, sweeps } = yield* walk(yield* Messages.room.due[0])
        assert.deepStrictEqual([...found].sort(), named("pn"))
        assert.isAbove(sweeps, 1)
      })
    )

    it.effect(
      "reaches every environment with a template under review, and every one to compare with its provider",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const at = "timestamptz '2026-01-01T00:00:00Z'"
          yield* sql.unsafe(`insert into templates (environment_id, id, environment, name, language, category,
            parameter_format, status, version_id, version, trace_id, due_at, created_at, updated_at)
          select ${idOf("env")}, 'tpl_' || n || '_' || a, 'production', 'a' || a, 'pt_BR', 'utility', 'POSITIONAL', 'submitted',
            'tplv_1', 1, 't', ${dueAt}, ${at}, ${at}
          from generate_series(1, ${owners}) n, generate_series(1, 2) a`)
          yield* sql.unsafe(`insert into template_syncs (environment_id, due_at)
          select ${idOf("env")}, ${dueAt} from generate_series(1, ${owners}) n`)
          for (const due of Templates.room.due) {
            const { found, sweeps } = yield* walk(yield* due)
            assert.deepStrictEqual(found, named("env"))
            assert.isAbove(sweeps, 1)
          }
        })
    )
  }
)
