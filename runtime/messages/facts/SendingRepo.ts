import type { Channel, Direction, MessageType } from "@carteiro/schema/messages/Vocabulary.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { DueOwners, DuePage } from "../../platform/owner/schedule/Sweeper.ts"
import { arrayParameter, instant } from "../../platform/sql/Parameters.ts"
import { many } from "../../platform/sql/Read.ts"
import { customerTypeOf, isOptedOut } from "../message/MessageWrites.ts"
import { forSenders } from "../message/Senders.ts"
import type {
  AskedConsent,
  DueInstants,
  DueMessage,
  NamedTemplate,
  NumberFacts,
  NumberSendFacts,
  TemplateRows
} from "./SendingFacts.ts"

/** What the owner of a number reads, one statement a batch. Architecture, section 2 "Facts that grow" */
export class SendingRepo extends Context.Service<
  SendingRepo,
  {
    /** Facts for sends: the number, and of these customers, quoted messages and own ids what there is. */
    readFacts(
      numberId: string,
      customers: ReadonlyArray<AskedConsent>,
      quoted: ReadonlyArray<string>,
      ids: ReadonlyArray<string>,
      templates?: ReadonlyArray<NamedTemplate>
    ): Effect.Effect<NumberSendFacts>
    dueInstants(numberId: string): Effect.Effect<DueInstants>
    /** What waits for a token and what time alone moves, each oldest first and within its limit. */
    readDue(
      number: { readonly environment_id: string; readonly id: string },
      now: number,
      limits: { readonly queue: number; readonly steps: number }
    ): Effect.Effect<ReadonlyArray<DueMessage>>
    /** Numbers with work due, for the sweeper; see `DueOwners`. */
    dueNumbers: DueOwners["due"]
  }
>()("@carteiro/runtime/messages/facts/SendingRepo") {
  static readonly layer = Layer.effect(
    SendingRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const run = <A extends object>(text: string, parameters: ReadonlyArray<unknown>) =>
        many(sql.unsafe<A>(text, parameters))
      return SendingRepo.of({
        readFacts: (numberId, customers, quoted, ids, templates = []) =>
          Effect.map(
            run<FactsRow>(templates.length === 0 ? plainFactsSql(numberId) : templateFactsSql(numberId), [
              numberId,
              arrayParameter(
                "text",
                customers.map(({ channel }) => channel)
              ),
              arrayParameter(
                "text",
                customers.map(({ key }) => key)
              ),
              arrayParameter("text", quoted),
              arrayParameter("text", ids),
              arrayParameter(
                "text",
                customers.map(({ subjects }) => subjects)
              ),
              ...(templates.length === 0
                ? []
                : [
                    arrayParameter(
                      "text",
                      templates.map(({ name }) => name)
                    ),
                    arrayParameter(
                      "text",
                      templates.map(({ language }) => language)
                    )
                  ])
            ]),
            ([row]) => toFacts(row)
          ),
        dueInstants: (numberId) =>
          Effect.map(run<InstantsRow>(instantsSql(numberId), [numberId]), ([row]) => ({
            number: row === undefined ? undefined : numberOf(row),
            queue: row?.queue_at ?? undefined,
            steps: row?.steps_at ?? undefined,
            notices: row?.notices_at ?? undefined,
            upstream_phone_number_id: row?.upstream_phone_number_id ?? null
          })),
        readDue: (number, now, limits) =>
          run<DueMessage>(dueSql, [number.environment_id, number.id, instant(now), limits.queue, limits.steps]),
        dueNumbers: (now, after, limit) =>
          Effect.map(run<WalkedNumber>(dueNumbersSql, [instant(now), after, limit]), (rows) => walked(rows, limit))
      })
    })
  )
}

const chargedTo = (column: string): string => `case when n.environment = 'production' then (
    select e.${column} from environments e where e.id = n.environment_id) end as ${column}`

const numberColumns = `n.xmin::text as version, n.environment_id, n.environment, n.phone, n.status,
  n.suspended_at is not null as suspended, n.throughput_plan, n.upstream_throughput_tier, n.messaging_tier,
  n.quality_rating, n.biz_account_id, ${chargedTo("organization_id")}, ${chargedTo("project_id")},
  exists (select 1 from contact_suppressions s where s.environment_id = n.environment_id) as suppresses,
  (select p.due_at from number_pacing p where p.environment_id = n.environment_id and p.business_id = n.id) as pacing_at`

const inQueue = "due_at is not null and status = 'queued' and status_reason is null"
const inSteps = "due_at is not null and (status <> 'queued' or status_reason is not null)"

// Each key is looked up by its index whatever the planner believes about the table's size: hence `lateral … limit 1`.
const factsSql = (templates: string) =>
  forSenders(
    (source) => `select ${numberColumns},
  (select json_agg(json_build_array(w.channel || ' ' || w.customer_key,
      (extract(epoch from w.latest_inbound_at) * 1000)::int8))::text
    from unnest($2::text[], $3::text[]) as k(channel, key)
    cross join lateral (select * from service_windows w where w.environment_id = n.environment_id
      and w.channel = k.channel and w.business_id = n.id and w.customer_key = k.key limit 1) w) as windows,
  (select json_agg(k.channel || ' ' || k.key)::text
    from unnest($2::text[], $3::text[], $6::text[]) as k(channel, key, subjects)
    where ${isOptedOut({ environment_id: "n.environment_id", channel: "k.channel", key: "k.key", subjects: "k.subjects" })}
    ) as opted_out,
  (select json_agg(json_build_array(m.id, m.channel, m.customer_key, m.provider_message_id, m.direction, m.type,
      (extract(epoch from m.created_at) * 1000)::int8))::text
    from unnest($4::text[]) as k(id)
    cross join lateral (select * from messages m where m.environment_id = n.environment_id and m.id = k.id limit 1) m
    where m.business_id = n.id) as quoted,
  (select json_agg(k.id)::text from unnest($5::text[]) as k(id)
    cross join lateral (select 1 from messages m where m.environment_id = n.environment_id and m.id = k.id limit 1) m
    ) as stored, ${templates} as templates
  from ${source} where n.id = $1`
  )

const plainFactsSql = factsSql("null")

// Only batches with a template pay for it: the version approved last of each name and language.
const templateFactsSql =
  factsSql(`(select json_agg(json_build_object('id', t.id, 'name', t.name, 'language', t.language,
      'sending_status', t.sending_status, 'version_id', v.id, 'version', v.version, 'category', v.category,
      'parameter_format', v.parameter_format, 'components', v.components))::text
    from unnest($7::text[], $8::text[]) as k(name, language)
    cross join lateral (select * from templates t where t.name = k.name and t.environment_id = n.environment_id
      and t.language = k.language and t.deleted_at is null limit 1) t
    left join lateral (select * from template_versions v where v.environment_id = t.environment_id
      and v.id = t.latest_approved_version_id limit 1) v on true)`)

const instantsSql = forSenders(
  (source) => `select ${numberColumns},
  (select min(due_at) from messages m where m.environment_id = n.environment_id and m.business_id = n.id
    and ${inQueue}) as queue_at,
  (select min(due_at) from messages m where m.environment_id = n.environment_id and m.business_id = n.id
    and ${inSteps}) as steps_at,
  case when n.environment = 'production' then (select min(w.due_at) from vendor_webhook_work w
    where w.owner_type = 'PhoneNumber' and w.owner_id = n.id and w.due_at is not null) end as notices_at,
  n.upstream_phone_number_id
  from ${source} where n.id = $1`
)

/** What an owner looks at of its messages `m`, and the rows beside them that it is judged by. */
export const dueColumns = `m.id, m.channel, m.type, m.status, m.status_reason, m.business_phone, m.customer_id,
  m.customer_key, m.provider, m.provider_message_id, m.provider_payload, m.content, m.context, m.metadata, m.error_code,
  m.error_message, m.provider_error, m.events, m.trace_id, m.scenario, m.batch_id, m.sending_since, m.released_at,
  m.delivery_unconfirmed_at, m.marketing_hash, m.template_category, m.refusals, m.refused_by, m.refused_since, m.flow_id, m.flow_token,
  m.due_at, m.created_at,
  t.sending_status as template_status, w.latest_inbound_at, coalesce(c.opt_in_status = 'opted_out', false) as opted_out`
export const dueJoins = `left join service_windows w on m.status = 'queued' and w.environment_id = m.environment_id
    and w.channel = m.channel and w.business_id = m.business_id and w.customer_key = m.customer_key
  left join contacts c on m.status = 'queued' and c.environment_id = m.environment_id and c.match_key = m.customer_key
    and c.customer_type = ${customerTypeOf("m.channel")}
  left join templates t on m.status = 'queued' and m.template_id is not null and t.environment_id = m.environment_id
    and t.id = m.template_id and t.deleted_at is null`

const dueSql = `with due as (
    (select * from messages where environment_id = $1 and business_id = $2 and due_at <= $3 and ${inQueue}
      order by due_at, id limit $4::int4)
    union all
    (select * from messages where environment_id = $1 and business_id = $2 and due_at <= $3 and ${inSteps}
      order by due_at, id limit $5::int4)
  )
  select ${dueColumns} from due m ${dueJoins}`

// Walks from number to number along the index, so that a long queue costs one step.
const numbersOf = (name: string, waiting: string): string => `${name} as (
    (select environment_id, business_id, 1 as n from messages where ${waiting} and business_id > $2
      order by business_id, environment_id limit 1)
    union all
    select n.environment_id, n.business_id, p.n + 1 from ${name} p cross join lateral (
      select environment_id, business_id from messages
      where ${waiting} and (business_id, environment_id) > (p.business_id, p.environment_id)
      order by business_id, environment_id limit 1) n where p.n < $3::int4
  )`
const isDue = (name: string, waiting: string): string => `select '${name}' as walk, n.business_id as id, exists (
    select 1 from messages m where m.environment_id = n.environment_id and m.business_id = n.business_id
      and ${waiting} and m.due_at <= $1) as due from ${name} n`

const dueNumbersSql = `with recursive ${numbersOf("queues", inQueue)}, ${numbersOf("stepping", inSteps)}
  select * from (${isDue("queues", inQueue)} union all ${isDue("stepping", inSteps)}) w order by id`

interface WalkedNumber {
  readonly walk: "queues" | "stepping"
  readonly id: string
  readonly due: boolean
}

// Two walks side by side: the page ends where the first of those that were cut does.
const walked = (rows: ReadonlyArray<WalkedNumber>, limit: number): DuePage => {
  const ends = (["queues", "stepping"] as const).flatMap((name) => {
    const walk = rows.filter((row) => row.walk === name)
    return walk.length < limit ? [] : [walk.at(-1)?.id ?? ""]
  })
  const next = ends.length === 0 ? undefined : ends.reduce((one, other) => (one < other ? one : other))
  const due = rows.filter((row) => row.due && (next === undefined || row.id <= next))
  return { ids: [...new Set(due.map(({ id }) => id))], next }
}

interface FactsRow extends NumberFacts {
  readonly windows: string | null
  readonly opted_out: string | null
  readonly quoted: string | null
  readonly stored: string | null
  readonly templates: string | null
}

interface InstantsRow extends NumberFacts {
  readonly queue_at: number | null
  readonly steps_at: number | null
  readonly notices_at: number | null
  readonly upstream_phone_number_id: string | null
}

type QuotedRow = readonly [string, Channel, string, string | null, Direction, MessageType, number]

const listed = <A>(json: string | null): ReadonlyArray<A> => (json === null ? [] : JSON.parse(json))

const numberOf = (row: NumberFacts): NumberFacts => ({
  version: row.version,
  environment_id: row.environment_id,
  environment: row.environment,
  organization_id: row.organization_id,
  project_id: row.project_id,
  phone: row.phone,
  status: row.status,
  suspended: row.suspended,
  throughput_plan: row.throughput_plan,
  upstream_throughput_tier: row.upstream_throughput_tier,
  messaging_tier: row.messaging_tier,
  quality_rating: row.quality_rating,
  biz_account_id: row.biz_account_id,
  suppresses: row.suppresses,
  pacing_at: row.pacing_at
})

const toFacts = (row: FactsRow | undefined): NumberSendFacts =>
  row === undefined
    ? {
        number: undefined,
        windows: new Map(),
        optedOut: new Set(),
        quoted: new Map(),
        stored: new Set(),
        templates: []
      }
    : {
        number: numberOf(row),
        windows: new Map(listed<readonly [string, number]>(row.windows)),
        optedOut: new Set(listed<string>(row.opted_out)),
        quoted: new Map(
          listed<QuotedRow>(row.quoted).map(
            ([id, channel, customer_key, provider_message_id, direction, type, created_at]) => [
              id,
              { channel, customer_key, provider_message_id, direction, type, created_at }
            ]
          )
        ),
        stored: new Set(listed<string>(row.stored)),
        templates: listed<TemplateRows>(row.templates)
      }
