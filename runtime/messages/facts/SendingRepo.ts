import type { Channel, Direction, MessageType } from "@carteiro/schema/messages/Vocabulary.ts"
import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { readTogether } from "@carteiro/tables/ReadTogether.ts"
import { type JsonText, readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { isOptedOut, withCustomerType } from "../message/MessageWrites.ts"
import { isAccount } from "../message/Senders.ts"
import { forAskedSenders, numberColumns, numberOf } from "./NumberRead.ts"
import type { AskedConsent, NamedTemplate, NumberFacts, NumberSendFacts, TemplateRows } from "./SendingFacts.ts"

/** The facts that the sends of one number need. */
interface AskedFacts {
  readonly numberId: string
  readonly customers: ReadonlyArray<AskedConsent>
  readonly quoted: ReadonlyArray<string>
  readonly ids: ReadonlyArray<string>
  readonly templates: ReadonlyArray<NamedTemplate>
}

/**
 * Reads the facts of sends for owners of numbers, one statement per batch; concurrent batches of many numbers share it.
 */
export class SendingRepo extends Context.Service<
  SendingRepo,
  {
    /**
     * Returns the facts of sends: the number, and the existing rows of these customers, quoted messages and own ids.
     */
    readFacts(
      numberId: string,
      customers: ReadonlyArray<AskedConsent>,
      quoted: ReadonlyArray<string>,
      ids: ReadonlyArray<string>,
      templates?: ReadonlyArray<NamedTemplate>
    ): Effect.Effect<NumberSendFacts>
  }
>()("@carteiro/runtime/messages/facts/SendingRepo") {
  static readonly layer = Layer.effect(
    SendingRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const factsBy = (plain: string, withTemplates: string) =>
        readTogether(
          (asks: ReadonlyArray<AskedFacts>) => {
            const named = asks.some(({ templates }) => templates.length > 0)
            const parameters = named ? [...asked(asks), ...askedTemplates(asks)] : asked(asks)
            const rows = many(sql.unsafe<FactsRow>(named ? withTemplates : plain, parameters))
            return Effect.map(rows, (found) => factsOf(asks.length, found))
          },
          {
            sizeOf: ({ customers, ids, quoted, templates }) =>
              customers.length + ids.length + quoted.length + templates.length + 1
          }
        )
      const ofNumbers = yield* factsBy(plainFactsSql.ofNumbers, templateFactsSql.ofNumbers)
      const ofAccounts = yield* factsBy(plainFactsSql.ofAccounts, templateFactsSql.ofAccounts)
      return SendingRepo.of({
        readFacts: (numberId, customers, quoted, ids, templates = []) =>
          (isAccount(numberId) ? ofAccounts : ofNumbers)({ numberId, customers, quoted, ids, templates })
      })
    })
  )
}

const texts = (values: ReadonlyArray<string>) => arrayParameter("text", values)

/** Returns the concatenated lists of all reads, each item with the position of its read, from 1. */
const listedBy = <A>(asks: ReadonlyArray<AskedFacts>, list: (ask: AskedFacts) => ReadonlyArray<A>) => {
  const places: Array<number> = []
  const values: Array<A> = []
  for (let n = 0; n < asks.length; n++) {
    for (const value of list(asks[n] as AskedFacts)) {
      places.push(n + 1)
      values.push(value)
    }
  }
  return { places: arrayParameter("int4", places), values }
}

const asked = (asks: ReadonlyArray<AskedFacts>): ReadonlyArray<unknown> => {
  const customers = listedBy(asks, (ask) => ask.customers)
  const quoted = listedBy(asks, (ask) => ask.quoted)
  const ids = listedBy(asks, (ask) => ask.ids)
  return [
    texts(asks.map(({ numberId }) => numberId)),
    customers.places,
    texts(customers.values.map(({ channel }) => channel)),
    texts(customers.values.map(({ key }) => key)),
    texts(customers.values.map(({ subjects }) => subjects)),
    quoted.places,
    texts(quoted.values),
    ids.places,
    texts(ids.values)
  ]
}

const askedTemplates = (asks: ReadonlyArray<AskedFacts>): ReadonlyArray<unknown> => {
  const { places, values } = listedBy(asks, ({ templates }) => templates)
  return [places, texts(values.map(({ name }) => name)), texts(values.map(({ language }) => language))]
}

// Lists of all reads come with the first row. `lateral … limit 1` makes the planner look up each key by its index,
// whatever table size it estimates. Messages of an account are found for numbers too, because a reaction to them gets
// the refusal of another channel.
const factsSql = (templates: string) =>
  forAskedSenders(
    (askedSenders) => `with asked as materialized (${askedSenders})
  select n.ask, ${numberColumns}, ${ofFirst(`
  (select json_agg(json_build_array(n.ask, w.channel || ' ' || w.customer_key,
      (extract(epoch from w.latest_inbound_at) * 1000)::int8))::text
    from unnest($2::int4[], $3::text[], $4::text[]) as k(ask, channel, key) join asked n on n.ask = k.ask
    cross join lateral (select * from service_windows w where w.environment_id = n.environment_id
      and w.channel = k.channel and w.business_id = n.id and w.customer_key = k.key limit 1) w)`)} as windows,
  ${ofFirst(`(select json_agg(json_build_array(n.ask, k.channel || ' ' || k.key))::text
    from ${withCustomerType(`(select * from unnest($2::int4[], $3::text[], $4::text[], $5::text[])
      as k(ask, channel, key, subjects))`)} k
    join asked n on n.ask = k.ask
    where ${isOptedOut({ environment_id: "n.environment_id", type: "k.customer_type", key: "k.key", subjects: "k.subjects" })}
    )`)} as opted_out,
  ${ofFirst(`(select json_agg(json_build_array(n.ask, m.id, m.channel, m.customer_key, m.group_id, m.provider_message_id, m.direction,
      m.type, (extract(epoch from m.created_at) * 1000)::int8))::text
    from unnest($6::int4[], $7::text[]) as k(ask, id) join asked n on n.ask = k.ask
    cross join lateral (select * from messages m where m.environment_id = n.environment_id and m.id = k.id limit 1) m
    where m.business_id = n.id or m.channel = 'socialapp')`)} as quoted,
  ${ofFirst(`(select json_agg(json_build_array(n.ask, k.id))::text
    from unnest($8::int4[], $9::text[]) as k(ask, id) join asked n on n.ask = k.ask
    cross join lateral (select 1 from messages m where m.environment_id = n.environment_id and m.id = k.id limit 1) m
    )`)} as stored, ${templates} as templates
  from asked n`
  )

const ofFirst = (list: string): string => `case when row_number() over () = 1 then ${list} end`

const plainFactsSql = factsSql("null")

// Only batches with a template read this: the version approved last of each name and language.
const templateFactsSql = factsSql(
  ofFirst(`(select json_agg(json_build_array(n.ask, json_build_object('row_version', t.row_version::text, 'id', t.id,
      'name', t.name,
      'language', t.language, 'sending_status', t.sending_status, 'quality', t.provider_quality, 'version_id', v.id, 'version', v.version,
      'category', v.category, 'parameter_format', v.parameter_format, 'components', v.components)))::text
    from unnest($10::int4[], $11::text[], $12::text[]) as k(ask, name, language) join asked n on n.ask = k.ask
    cross join lateral (select t.xmin as row_version, t.* from templates t where t.name = k.name and t.environment_id = n.environment_id
      and t.language = k.language and t.deleted_at is null limit 1) t
    left join lateral (select * from template_versions v where v.environment_id = t.environment_id
      and v.id = t.latest_approved_version_id limit 1) v on true)`)
)

interface FactsRow extends NumberFacts {
  /** The position among the reads, from 1. */
  readonly ask: number
  readonly windows: ListText<[customer: string, latestInbound: number]>
  readonly opted_out: ListText<[customer: string]>
  readonly quoted: ListText<QuotedRow>
  readonly stored: ListText<[id: string]>
  readonly templates: ListText<[template: TemplateRows]>
}

/** A list of all reads, each item after the position of its read; null where it is empty. */
type ListText<Item extends ReadonlyArray<unknown>> = JsonText<
  ReadonlyArray<readonly [ask: number, ...item: Item]>
> | null

type QuotedRow = readonly [
  id: string,
  channel: Channel,
  customer_key: string,
  group_id: string | null,
  provider_message_id: string | null,
  direction: Direction,
  type: MessageType,
  created_at: number
]

const factsOf = (asks: number, rows: ReadonlyArray<FactsRow>): ReadonlyArray<NumberSendFacts> => {
  const found = Array.from({ length: asks }, () => ({
    number: undefined as NumberFacts | undefined,
    windows: new Map<string, number>(),
    optedOut: new Set<string>(),
    quoted: new Map<string, NonNullable<ReturnType<NumberSendFacts["quoted"]["get"]>>>(),
    stored: new Set<string>(),
    templates: [] as Array<TemplateRows>
  }))
  const of = (ask: number) => found[ask - 1] as (typeof found)[number]
  for (const row of rows) {
    of(row.ask).number = numberOf(row)
    for (const [ask, customer, at] of listed(row.windows)) of(ask).windows.set(customer, at)
    for (const [ask, customer] of listed(row.opted_out)) of(ask).optedOut.add(customer)
    for (const [ask, id, channel, customer_key, group_id, provider_message_id, direction, type, created_at] of listed(
      row.quoted
    )) {
      of(ask).quoted.set(id, { channel, customer_key, group_id, provider_message_id, direction, type, created_at })
    }
    for (const [ask, id] of listed(row.stored)) of(ask).stored.add(id)
    for (const [ask, template] of listed(row.templates)) of(ask).templates.push(template)
  }
  return found
}

const listed = <A>(list: JsonText<ReadonlyArray<A>> | null): ReadonlyArray<A> => readJsonOrNull(list) ?? []
