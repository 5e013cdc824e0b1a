import { Effect } from "effect"
import { quote, type Requests } from "../Load.ts"
import { deferred, type Product, startProduct } from "../Product.ts"
import { atLeast, grouped, limit } from "../Report.ts"
import { alternate } from "../Rounds.ts"
import { customer, makeSenders, type Sender } from "../Senders.ts"
import { sendsOf } from "../Sends.ts"
import { acceptedRows, storing } from "./Accept.ts"
import type { Workload } from "./Workload.ts"

const tenants = 64
const recipientsEach = 15_625
const history = tenants * recipientsEach

// As wide as a number gets, so that the product and not a limit is measured.
const widest = `update phone_numbers set messaging_tier = 'tier_100k', quality_rating = 'green',
  upstream_throughput_tier = 'unlimited' where id = any($1)`

/** Everyone got one offer of each number, ten to thirty days ago, and read it. */
const past = (rest: string) => `with sender as (
    select n.environment_id, n.id as business_id, n.phone, t.id as template_id, t.latest_approved_version_id as version_id
    from phone_numbers n join templates t on t.environment_id = n.environment_id and t.name = 'promo'
    where n.id = any($1)
  ), past as (
    select s.*, 'msg_' || lpad(r::text, 26, '0') as message_id, '55119' || lpad(r::text, 8, '0') as customer_key,
      md5(r::text) || md5(s.business_id) as content_hash,
      now() - interval '10 days' - r % 20 * interval '1 day' as at
    from sender s cross join generate_series(0, ${recipientsEach - 1}) r
  ) ${rest}`

const pastMessages = past(`insert into messages (environment_id, id, channel, direction, type, status, business_id,
    business_phone, customer_id, customer_key, provider, provider_message_id, template_name, template_id,
    template_version_id, template_version, template_category, marketing_hash, content, trace_id, created_at, updated_at)
  select environment_id, message_id, 'chatapp', 'outbound', 'template', 'read', business_id, phone, '+' || customer_key,
    customer_key, 'sandbox', 'sb_' || business_id || message_id, 'promo', template_id, version_id, 1, 'marketing',
    content_hash, '{"type":"template","template":{"name":"promo","language":"pt_BR","variables":{"first_name":"Ana"}}}',
    repeat('0', 32), at, at
  from past`)

const pastClaims =
  past(`insert into marketing_claims (environment_id, customer_key, content_hash, business_id, message_id,
    attempted_at, claimed_at)
  select environment_id, customer_key, content_hash, business_id, message_id, at, at from past`)

const pastAttempts = past(`insert into marketing_attempts (environment_id, business_id, customer_key, latest_message_id,
    latest_at)
  select environment_id, business_id, customer_key, message_id, at from past`)

const fillHistory = Effect.fnUntraced(function* ({ database }: Product, senders: ReadonlyArray<Sender>) {
  const numbers = senders.map(({ number }) => number)
  yield* database.query(widest, [numbers])
  for (const rows of [pastMessages, pastClaims, pastAttempts]) yield* database.query(rows, [numbers])
  yield* database.query("vacuum analyze messages, marketing_claims, marketing_attempts")
})

/** The seeded marketing template, of each sender in turn, to recipients of its history; content of its own every time. */
const offersOf = (senders: ReadonlyArray<Sender>): Requests => ({
  method: "POST",
  headers: {},
  path: '"/v1/messages"',
  setup: `local keys, heads = {${senders.map(({ key }) => quote(`Bearer ${key}`)).join(",")}},
  {${senders.map(({ number }) => quote(headOf(number))).join(",")}}
local middle, tail = ${quote(middle)}, ${quote('"}}}}')}`,
  authorization: `keys[n % ${senders.length} + 1]`,
  body: `heads[n % ${senders.length} + 1] .. string.format("%08d", math.floor(n / ${senders.length}) % ${recipientsEach}) .. middle .. run .. n .. tail`
})

const headOf = (number: string) =>
  `{"channel":"chatapp","sender":{"type":"chatapp_phone_number","id":"${number}"},"recipient":{"type":"phone_e164","id":"+55119`
const middle =
  '"},"message":{"type":"template","template":{"name":"promo","language":"pt_BR","variables":{"first_name":"'

/** Accepting marketing: template, guards and allowance of each send, over what was sent before. */
export const acceptMarketing: Workload = {
  name: "accept-marketing",
  about: `POST /v1/messages of a marketing template through its guards, ${tenants} environments in turn, to recipients of ${grouped(history)} earlier ones, 64 connections, one process; beside it plain text of the same environments.`,
  needs: ["wrk"],
  run: Effect.gen(function* () {
    const product = yield* startProduct({ name: "accept-marketing", env: deferred })
    const senders = yield* makeSenders(product, tenants)
    yield* fillHistory(product, senders)
    const sides = yield* alternate([
      { name: "carteiro", round: storing(product.url, product, offersOf(senders), acceptedRows) },
      { name: "plain text", round: storing(product.url, product, sendsOf(senders, customer), acceptedRows) }
    ])
    const attempted = yield* product.database.count(
      "select count(*) from marketing_claims where attempted_at is not null"
    )
    const pending = yield* product.database.count("select count(*) from marketing_claims where attempted_at is null")
    return {
      unit: "requests",
      sides,
      bars: [
        atLeast(sides, "plain text", 0.7),
        limit("1,000,000 rows of history", attempted, (rows) => rows === history)
      ],
      facts: [`${grouped(pending)} offers accepted, each with its claim`]
    }
  })
}
