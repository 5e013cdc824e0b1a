import type { PageRow } from "@carteiro/http-edge/Paging.ts"
import { lowestIdAt, ulidTimeOf } from "@carteiro/owners/Ids.ts"
import type { DeliveriesBeside } from "@carteiro/schema/webhooks/DeliveryLogApi.ts"
import type { WebhookEventStatus } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import { mostWalkedRows, type Walked } from "@carteiro/tables/BoundedWalk.ts"
import { pageSql } from "@carteiro/tables/PageSql.ts"
import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { type JsonText, readJson } from "@carteiro/tables/StoredJson.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Attempt, type EndpointState, statusOf } from "../delivery/DeliveryState.ts"
import { deliveryLineColumns } from "../delivery/WebhookDeliveryTables.ts"
import type { WebhookEventRow } from "./WebhookEventRead.ts"
import { hastenWrite, resendWrite } from "./WebhookEventWrites.ts"

/** A row of the log with the facts that decide a resend. */
export interface StoredWebhookEvent extends WebhookEventRow {
  /** The endpoint of the delivery, deleted or not. */
  readonly for_endpoint_id: string
  readonly environment_id: string
  /** The outbox event's id. */
  readonly event_id: string
  readonly endpoint: EndpointState
  readonly attempts: ReadonlyArray<Attempt>
  /** The resends so far: a resend decided on an older count is refused. */
  readonly resends: number
}

/** A row of the log without its attempts and its payload. */
export type DeliveryLineRow = Omit<WebhookEventRow, "attempts" | "envelope">

/** The filters of a list; an absent one filters nothing. */
export interface EventSelection {
  readonly before?: string | undefined
  /** The oldest id that may be selected. */
  readonly from?: string | undefined
  readonly ids?: ReadonlyArray<string> | undefined
  readonly types?: ReadonlyArray<string> | undefined
  readonly endpoint_id?: string | undefined
  /** Rows of one event of the outbox; `from` and `before` bound them, because their ids hold its time. */
  readonly event_id?: string
  readonly status?: WebhookEventStatus | undefined
  /** True when the list may end beyond the bytes of a page. */
  readonly isPage?: boolean
  /** True for rows whose envelopes are not read: each is null. */
  readonly withoutEnvelopes?: boolean
  /** Rows about one thing: of one customer, by the hash in their rows, or none of whose events is about a customer. */
  readonly about?: { readonly subject: string | null; readonly source_id: string } | undefined
}

/** The most attempts that a search for one by its id reads. */
const mostAttempts = 20_000

/** The delivery log, always within one environment. */
export class WebhookEventRepo extends Context.Service<
  WebhookEventRepo,
  {
    /** Returns rows newest first, with their attempts, in one statement. */
    select(
      environmentId: string,
      wanted: EventSelection,
      count: number
    ): Effect.Effect<ReadonlyArray<StoredWebhookEvent & PageRow>>
    /**
     * Returns rows newest first out of a bounded walk: one index leads through the rows of one filter, and the others
     * are looked for along it.
     */
    walk(
      environmentId: string,
      wanted: EventSelection,
      count: number
    ): Effect.Effect<Walked<StoredWebhookEvent & PageRow>>
    /** Returns rows of such a walk without their attempts. */
    lines(environmentId: string, wanted: EventSelection, count: number): Effect.Effect<Walked<DeliveryLineRow>>
    /**
     * Returns the delivery of an attempt, from a bounded number of attempts before it, because their ids have no index.
     */
    eventOfAttempt(environmentId: string, attemptId: string): Effect.Effect<string | undefined>
    /** Returns the ids of the deliveries to an endpoint just before and just after one, each null where there is none. */
    beside(environmentId: string, endpointId: string, id: string): Effect.Effect<DeliveriesBeside | undefined>
    /** Returns the row that takes the next attempt number and returns its id, if no other resend took it meanwhile. */
    resend(event: { readonly environment_id: string; readonly id: string; readonly resends: number }): Row
    /** Returns the row that makes a waiting attempt due at that instant. */
    hasten(attempt: {
      readonly environment_id: string
      readonly endpoint_id: string
      readonly webhook_event_id: string
      readonly attempt: number
      readonly at: number
    }): Row
  }
>()("@carteiro/runtime/webhooks/log/WebhookEventRepo") {
  static readonly layer = Layer.effect(
    WebhookEventRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const select = (environmentId: string, wanted: EventSelection, count: number) =>
        Effect.suspend(() => {
          const { text, parameters } = selectSql(environmentId, wanted, count)
          return many(sql.unsafe<EventRow>(text, parameters), fromRow)
        })
      const walkBy = <A>(
        environmentId: string,
        wanted: EventSelection,
        read: (wanted: EventSelection) => Effect.Effect<ReadonlyArray<A>>
      ): Effect.Effect<Walked<A>> => {
        const end = walkEndSql(environmentId, wanted)
        if (end === undefined) return Effect.map(read(wanted), (rows) => ({ rows, walked_to: null }))
        return Effect.flatMap(one(sql.unsafe<{ readonly id: string | null }>(end.text, end.parameters)), (found) => {
          const walked_to = found?.id ?? null
          return Effect.map(read({ ...wanted, from: walked_to ?? undefined }), (rows) => ({ rows, walked_to }))
        })
      }
      return WebhookEventRepo.of({
        select,
        walk: (environmentId, wanted, count) =>
          walkBy(environmentId, wanted, (wanted) => select(environmentId, wanted, count)),
        lines: (environmentId, wanted, count) =>
          walkBy(environmentId, wanted, (wanted) => {
            const { text, parameters } = linesSql(environmentId, wanted, count)
            return many(sql.unsafe<DeliveryLineRow>(text, parameters))
          }),
        eventOfAttempt: (environmentId, attemptId) =>
          Effect.map(
            one(
              sql<{ readonly webhook_event_id: string }>`select a.webhook_event_id from (
                  select webhook_event_id, id from webhook_attempts
                  where environment_id = ${environmentId}
                    and webhook_event_id < ${lowestIdAt("whe", ulidTimeOf(attemptId) + 1)}
                  order by webhook_event_id desc limit ${mostAttempts}) a
                where a.id = ${attemptId}`
            ),
            (found) => found?.webhook_event_id
          ),
        beside: (environmentId, endpointId, id) => {
          const own = sql`select id from webhook_events where endpoint_id = ${endpointId} and environment_id = ${environmentId}`
          return one(sql<DeliveriesBeside>`select (${own} and id < ${id} order by id desc limit 1) as earlier,
            (${own} and id > ${id} order by id limit 1) as later`)
        },
        resend: (event) => resendWrite.row({ ...event }),
        hasten: (place) => hastenWrite.row({ ...place })
      })
    })
  )
}

/** Returns the rows whose content number management holds back now, by id. */
export const SuspendedContent = Context.Reference<
  (
    environmentId: string,
    events: ReadonlyArray<Pick<WebhookEventRow, "id" | "type" | "source_type" | "source_id">>
  ) => Effect.Effect<ReadonlySet<string>>
>("@carteiro/runtime/webhooks/log/SuspendedContent", { defaultValue: () => () => Effect.succeed(new Set<string>()) })

interface EventRow extends Omit<StoredWebhookEvent, "attempts" | "status">, PageRow {
  readonly attempts: JsonText<ReadonlyArray<Omit<Attempt, "on_wire">>>
}

const fromRow = (row: EventRow): StoredWebhookEvent & PageRow => {
  const attempts = readJson(row.attempts).map((attempt) => ({ ...attempt, on_wire: false }))
  return { ...row, attempts, status: statusOf(attempts) }
}

const millis = (column: string) => `(extract(epoch from a.${column}) * 1000)::int8`

const attemptsSql = `(select json_agg(json_build_object('id', a.id, 'attempt', a.attempt, 'status', a.status,
    'explicit', a.explicit, 'due_at', ${millis("due_at")}, 'status_code', a.status_code,
    'failure_class', a.failure_class, 'response_body_redacted', a.response_body_redacted,
    'error_message', a.error_message, 'next_retry_at', ${millis("next_retry_at")},
    'created_at', ${millis("created_at")}, 'attempted_at', ${millis("attempted_at")}, 'duration_ms', a.duration_ms) order by a.attempt)::text
  from webhook_attempts a where a.environment_id = w.environment_id and a.webhook_event_id = w.id) as attempts`

/** `offset 0` has the attempts looked up for each row: as a join, those of the whole log would be read. */
const has = (status: string) => `exists (select 1 from webhook_attempts s where s.environment_id = w.environment_id
  and s.webhook_event_id = w.id and s.status = '${status}' offset 0)`

/** The status filters in terms of attempts, see `statusOf`. */
const statusSql: { readonly [S in WebhookEventStatus]: string } = {
  delivered: has("succeeded"),
  pending: `not ${has("succeeded")}`,
  failed: `not ${has("succeeded")} and not ${has("pending")}`
}

/**
 * The conditions of rare statuses, which have an index of their own, newest first, so that the whole log is not read.
 */
const candidates: { readonly [S in WebhookEventStatus]: string | undefined } = {
  delivered: undefined,
  pending: "c.status = 'pending'",
  failed: "c.status = 'failed' and c.next_retry_at is null"
}

/** The page size follows the length of envelopes, which differ. */
const wide = pageSql("coalesce(octet_length(envelope), 0) + octet_length(attempts)", "id desc")

/** The status of a row out of its attempts, see `statusOf`. */
const statusColumn = `(select case when bool_or(a.status = 'succeeded') then 'delivered' when bool_or(a.status = 'pending') then 'pending'
    else 'failed' end
  from webhook_attempts a where a.environment_id = w.environment_id and a.webhook_event_id = w.id) as status`

const linesSql = (environmentId: string, wanted: EventSelection, count: number) => {
  const { parameters, rows } = rowsSql(environmentId, wanted, count)
  const text = `select ${deliveryLineColumns.of("w")}, e.id as endpoint_id, ${statusColumn}
    from (${rows}) w
    left join webhook_endpoints e on e.environment_id = w.environment_id and e.id = w.endpoint_id
    order by w.id desc`
  return { text, parameters }
}

/** Returns the rows that a selection names, before what is read of each. */
const rowsSql = (environmentId: string, wanted: EventSelection, count: number) => {
  const parameters: Array<unknown> = [environmentId, wanted.before ?? "~", count]
  const conditions: Array<string> = []
  const given = (value: unknown) => `$${parameters.push(value)}`
  if (wanted.ids !== undefined) conditions.push(`w.id = any(${given(arrayParameter("text", wanted.ids))}::text[])`)
  const driving = wanted.status === undefined ? undefined : candidates[wanted.status]
  const types = wanted.types && `${given(arrayParameter("text", wanted.types))}::text[]`
  if (types !== undefined) conditions.push(driving === undefined ? "w.type = t.type" : `w.type = any(${types})`)
  if (wanted.endpoint_id !== undefined) {
    conditions.push(`w.endpoint_id = ${given(wanted.endpoint_id)}`)
    conditions.push("exists (select 1 from webhook_endpoints x where x.environment_id = $1 and x.id = w.endpoint_id)")
  }
  if (wanted.event_id !== undefined) conditions.push(`w.event_id = ${given(wanted.event_id)}`)
  if (wanted.about !== undefined) {
    const { source_id, subject } = wanted.about
    const found = subject === null ? "w.source_type <> 'message'" : `w.subject = ${given(subject)}`
    conditions.push(found, `w.source_id = ${given(source_id)}`)
  }
  if (wanted.status !== undefined) conditions.push(statusSql[wanted.status])
  const filter = conditions.map((condition) => ` and ${condition}`).join("")
  const from = wanted.from === undefined ? undefined : given(wanted.from)
  const until = (column: string) => (from === undefined ? "" : ` and ${column} >= ${from}`)
  const walk = `select w.* from webhook_events w where w.environment_id = $1 and w.id < $2${until("w.id")}${filter}
    order by w.id desc limit $3`
  // Each type is walked by itself: for a list of types the planner would read the whole log.
  const walks =
    types === undefined
      ? walk
      : `select w.* from unnest(${types}) as t(type) cross join lateral (${walk}) w order by w.id desc limit $3`
  // `offset 0` keeps the order of the candidates: the walk ends as soon as the page is full.
  const rows =
    driving === undefined
      ? walks
      : `select w.* from (select distinct c.webhook_event_id from webhook_attempts c
            where c.environment_id = $1 and ${driving} and c.webhook_event_id < $2${until("c.webhook_event_id")} order by c.webhook_event_id desc) c
          cross join lateral (select w.* from webhook_events w
            where w.environment_id = $1 and w.id = c.webhook_event_id${filter} offset 0) w
          order by c.webhook_event_id desc limit $3`
  return { parameters, rows }
}

const selectSql = (environmentId: string, wanted: EventSelection, count: number) => {
  const { parameters, rows } = rowsSql(environmentId, wanted, count)
  const { begin, end } = wanted.isPage === true ? wide : { begin: "", end: "" }
  const envelope =
    wanted.withoutEnvelopes === true
      ? { column: "null::text", join: "" }
      : {
          column: "case when w.payload_cleared then null else coalesce(w.payload, o.envelope) end",
          join: "left join outbox_events o on o.environment_id = w.environment_id and o.id = w.event_id"
        }
  const text = `${begin} select w.environment_id, w.id, w.event_id, w.type, w.source_type, w.source_id, w.trace_id, w.created_at, w.resends,
      w.endpoint_id as for_endpoint_id, e.id as endpoint_id, coalesce(e.status, 'deleted') as endpoint,
      ${envelope.column} as envelope, ${attemptsSql}
    from (${rows}) w
    left join webhook_endpoints e on e.environment_id = w.environment_id and e.id = w.endpoint_id
    ${envelope.join}
    order by w.id desc ${end}`
  return { text, parameters }
}

/**
 * Returns the statement that tells where a bounded walk ends: the first row beyond those that one page may read along its
 * index. Undefined when the index leads through all filters.
 */
const walkEndSql = (environmentId: string, { before, endpoint_id, status, types }: EventSelection) => {
  const parameters: Array<unknown> = [environmentId, before ?? "~"]
  const driving = status === undefined ? undefined : candidates[status]
  const beyond = `offset ${mostWalkedRows} limit 1`
  const along = (condition: string) => `select w.id from webhook_events w
    where w.environment_id = $1 and w.id < $2${condition} order by w.id desc ${beyond}`
  if (driving !== undefined) {
    const text = `select c.webhook_event_id as id from webhook_attempts c where c.environment_id = $1 and ${driving}
      and c.webhook_event_id < $2 order by c.webhook_event_id desc ${beyond}`
    return { text, parameters }
  }
  if (types !== undefined) {
    if (endpoint_id === undefined && status === undefined) return undefined
    // Below the latest of these ends some type has rows that were not read.
    const text = `select max(w.id) as id from unnest($3::text[]) as t(type)
      cross join lateral (${along(" and w.type = t.type")}) w`
    return { text, parameters: [...parameters, arrayParameter("text", types)] }
  }
  if (status === undefined) return undefined
  return endpoint_id === undefined
    ? { text: along(""), parameters }
    : { text: along(" and w.endpoint_id = $3"), parameters: [...parameters, endpoint_id] }
}
