import { statusRank, terminalStatuses } from "@carteiro/runtime/messages/message/MessageState.ts"
import {
  type EndpointHealth,
  type HealthFact,
  patchHealth,
  recordDelivery
} from "@carteiro/runtime/webhooks/endpoint/EndpointHealth.ts"
import type { MessageStatus } from "@carteiro/schema/messages/Vocabulary.ts"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { assert } from "vitest"
import { schedules } from "./Node.ts"

const watched = ["messages", "webhook_attempts", "webhook_endpoints"] as const

/** Lets the database note every change of the rows whose course is judged; the order is that of the commits. */
export const keepHistory = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  names: ReadonlyArray<string> = watched,
  changes = "insert or update"
) {
  yield* sql`create table simulation_history (n bigserial primary key, tx text not null, name text not null,
    before jsonb, after jsonb)`
  yield* sql.unsafe(`create function simulation_note() returns trigger language plpgsql as $$ begin
    insert into simulation_history (tx, name, before, after) values (pg_current_xact_id()::text, tg_table_name,
      case when tg_op <> 'INSERT' then to_jsonb(old) end, case when tg_op <> 'DELETE' then to_jsonb(new) end);
    return null; end $$`).unprepared
  for (const name of names) {
    yield* sql.unsafe(`create trigger simulation_note after ${changes} on ${name}
      for each row execute function simulation_note()`).unprepared
  }
})

interface MessageRow {
  readonly id: string
  readonly status: MessageStatus
}

interface AttemptRow {
  readonly id: string
  readonly webhook_event_id: string
  readonly endpoint_id: string
  readonly attempt: number
  readonly explicit: boolean
  readonly status: "pending" | "succeeded" | "failed"
  readonly status_code: number | null
  readonly failure_class: HealthFact["failure_class"]
  readonly next_retry_at: string | null
  readonly created_at: string
}

interface EndpointRow extends EndpointHealth {
  readonly id: string
  readonly environment: "sandbox" | "production"
  readonly stopped_at: string | null
}

type Change<Row> = { readonly before: Row | null; readonly after: Row }

/** What one commit changed. */
interface Commit {
  readonly messages: Array<Change<MessageRow>>
  readonly webhook_attempts: Array<Change<AttemptRow>>
  readonly webhook_endpoints: Array<Change<EndpointRow>>
}

/** What the rows went through: never back, each end once, and every counted result in its endpoint's health. */
export class History {
  /** Deliveries whose end a stop of their endpoint excuses. */
  readonly stopped = new Set<string>()
  trips = 0
  private readonly endpoints = new Map<string, EndpointRow>()

  static readonly read = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
    const rows = yield* sql<{
      readonly tx: string
      readonly name: (typeof watched)[number]
      readonly before: null
      readonly after: never
    }>`select tx, name, before, after from simulation_history order by n`
    const history = new History()
    const commits = new Map<string, Commit>()
    for (const { after, before, name, tx } of rows) {
      let commit = commits.get(tx)
      if (commit === undefined) {
        commit = { messages: [], webhook_attempts: [], webhook_endpoints: [] }
        commits.set(tx, commit)
      }
      commit[name].push({ before, after })
    }
    for (const commit of commits.values()) history.judge(commit)
    return history
  })

  private judge({ messages, webhook_attempts, webhook_endpoints }: Commit): void {
    for (const { after, before } of messages) if (before !== null) this.moves(before, after)
    const ended = webhook_attempts.filter(({ after, before }) => before !== null && after.status !== "pending")
    for (const { after, before } of ended) {
      assert.strictEqual(before?.status, "pending", `${after.id} ended twice`)
    }
    const results = new Map<string, Array<AttemptRow>>()
    for (const { after } of ended) {
      if (after.status_code === null && after.failure_class === null) continue
      const known = results.get(after.endpoint_id)
      if (known === undefined) results.set(after.endpoint_id, [after])
      else known.push(after)
    }
    for (const { after, before } of webhook_endpoints) {
      if (before !== null) this.changes(before, after, results.get(after.id) ?? [])
      this.endpoints.set(after.id, after)
    }
    for (const [id, attempts] of results) {
      const endpoint = this.endpoints.get(id)
      if (endpoint === undefined) continue
      if (!webhook_endpoints.some(({ after }) => after.id === id)) this.changes(endpoint, endpoint, attempts)
      for (const attempt of attempts) if (isVoid(attempt, endpoint)) this.stopped.add(attempt.webhook_event_id)
    }
  }

  private moves(before: MessageRow, after: MessageRow): void {
    const about = `${before.id}: ${before.status} to ${after.status}`
    if (terminalStatuses.has(before.status)) assert.strictEqual(after.status, before.status, about)
    const [from, to] = [rankOf(before.status), rankOf(after.status)]
    const requeued = before.status === "sending" && after.status === "queued"
    if (from !== undefined && to !== undefined && !requeued) assert.isAtLeast(to, from, about)
  }

  /** What results, or a PATCH when there are none, make of an endpoint. Which of them came first nobody noted. */
  private changes(before: EndpointRow, after: EndpointRow, results: ReadonlyArray<AttemptRow>): void {
    const about = `${before.id}: ${shown(before)} to ${shown(after)} by ${results.map(({ status }) => status)}`
    if (results.length === 0) {
      const next = (["active", "disabled", undefined] as const).flatMap((status) =>
        [true, false].map((urlChanged) => shown(patchHealth(before, { status, urlChanged })))
      )
      assert.include(next, shown(after), about)
      return
    }
    if (before.status === "active" && after.status === "disabled") this.trips++
    const doubtful = results.some((attempt) => isVoid(attempt, before))
    const delivered = results.some(({ status }) => status === "succeeded")
    const failed = results.filter((attempt) => attempt.status === "failed" && isLast(attempt, before))
    if (doubtful || (delivered && failed.length > 0)) return
    const facts = delivered ? [fact("delivered")] : failed.map(() => fact("failed"))
    const expected = facts.reduce<EndpointHealth>((health, next) => recordDelivery(health, next), before)
    assert.strictEqual(shown(after), shown(expected), about)
  }
}

const rankOf = (status: string): number | undefined => statusRank[status as keyof typeof statusRank]

const fact = (outcome: HealthFact["outcome"]): HealthFact => ({
  outcome,
  at: 0,
  status_code: null,
  failure_class: null
})

const shown = ({ failures, probation, probation_due, status }: EndpointHealth): string =>
  `${status}, ${failures}${probation ? ", on probation" : ""}${probation_due ? ", probation due" : ""}`

/** No retry follows it whatever its endpoint does. */
const isLast = ({ attempt, explicit }: AttemptRow, { environment }: EndpointRow): boolean =>
  explicit || attempt >= schedules[environment].length

/** Its endpoint stopped while it was on the way. */
const isVoid = ({ created_at }: AttemptRow, { status, stopped_at }: EndpointRow): boolean =>
  status === "disabled" || (stopped_at !== null && Date.parse(created_at) < Date.parse(stopped_at))
