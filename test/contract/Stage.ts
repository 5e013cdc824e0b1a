import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { Corrections } from "@carteiro/runtime/billing/Billing.ts"
import { BillingAccountEntity } from "@carteiro/runtime/billing/owner/BillingAccountEntity.ts"
import { Outbox } from "@carteiro/runtime/outbox/Outbox.ts"
import { seededTemplateRows } from "@carteiro/runtime/templates/Templates.ts"
import type { IdPrefix } from "@carteiro/schema/conventions/Ids.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { declare } from "../phone-orders/Orders.ts"
import { Api } from "../support/ApiTest.ts"
import { seedMedia } from "../support/Media.ts"
import { seedNumber } from "../support/Numbers.ts"
import { quiesce } from "../support/OwnerTest.ts"
import { sampleRow } from "../support/SampleEvents.ts"
import type { TestEnvironment } from "../support/Tenants.ts"
import { type DescribedOperation, description, operations, responseOf, thingsIn } from "./Described.ts"

/** The name of the id of an operation that reads one thing beneath a path. */
const idBeneath = (collection: string, { method, path }: DescribedOperation): string | undefined =>
  method === "GET" && path.startsWith(`${collection}/`)
    ? /^\{(\w+)\}$/.exec(thingsIn(path).slice(collection.length + 1))?.[1]
    : undefined

/** One of everything an environment holds, by the name its id has in paths, bodies and queries. */
export const seedThings = Effect.fnUntraced(function* (environment: TestEnvironment) {
  const api = yield* Api
  const make = (path: string, body: unknown, idempotencyKey?: string) =>
    Effect.flatMap(
      api.post(path, body, { key: environment.key, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) }),
      ({ body, status, text }) =>
        status < 300 ? Effect.succeed(body.id as string) : Effect.die(new Error(`${path}: ${text}`))
    )
  const number = yield* seedNumber(environment)
  yield* seedTemplates(environment)
  const bodies = examples({ phone_number_id: number.id, environment: environment.kind })
  const webhook_endpoint_id = yield* make("/v1/webhook-endpoints", bodies["webhooks.endpoints.create"])
  const outbox_event_id = yield* raise(environment)
  yield* creditOnce(environment.organization_id)
  yield* mayRent(environment.organization_id)
  yield* quiesce
  const events = yield* api.get("/v1/webhook-events", { key: environment.key })
  const sandbox = environment.kind === "sandbox"
  const byHand = {
    phone_number_id: number.id,
    webhook_endpoint_id,
    outbox_event_id,
    webhook_event_id: events.body.data[0].id as string,
    api_key_id: yield* make("/v1/api-keys", bodies["apiKeys.create"]),
    project_id: environment.project_id,
    feedback_report_id: yield* make("/v1/feedback", bodies["feedback.create"], "seed"),
    message_id: sandbox ? yield* make("/v1/sandbox/inbound-messages", bodies["sandbox.simulateInbound"]) : "",
    contact_id: yield* make("/v1/contacts/opt-in", bodies["contacts.optIn"]),
    audience_id: yield* make("/v1/audiences", bodies["audiences.create"], "seed audience"),
    // Its body names the number, which another call seeds anew.
    batch_id: yield* make("/v1/batches", bodies["batches.create"], `seed ${number.id}`),
    ...(yield* seedMedia(environment)),
    connection_id: yield* pendingConnection(environment),
    signup_session_id: yield* make(
      "/v1/provider-connections/upstream/signup-sessions",
      bodies["providerConnections.signupSessions.create"],
      "seed signup"
    ),
    advance_id: sandbox ? yield* settledAdvance(environment) : "",
    payment_method_id: sandbox ? yield* make("/v1/billing/payment-methods", bodies["billing.paymentMethods.save"]) : "",
    payment_id: sandbox ? yield* make("/v1/payments", bodies["payments.create"]) : yield* pendingPayment(environment),
    group_id: sandbox ? yield* make("/v1/groups", bodies["groups.create"]) : yield* activeGroup(environment, number.id),
    request_id: yield* loggedRequest(environment),
    listen_session_id: sandbox ? "" : yield* make("/v1/webhook-events/listen-sessions", {})
  }
  const numprov = yield* numprovAccount(environment, bodies["providerConnections.numprov.register"])
  const authorization_id = yield* givenAuthorization(environment)
  const agentic = {
    authorization_id,
    agentic_payment_id: yield* make("/v1/agentic/payments", { ...bodies["agentic.payments.create"], authorization_id })
  }
  const others = collections.filter(({ id }) => !(id in byHand) && !(id in agentic) && !(id in numprov))
  const made = yield* Effect.forEach(others, ({ create, id, path }) =>
    Effect.map(make(path, bodies[create], `seed ${path}`), (value) => [id, value] as const)
  )
  return { ...(Object.fromEntries(made) as Readonly<Record<string, string>>), ...byHand, ...agentic, ...numprov }
})

/** A request in the log, which is written some time after its answer. */
export const loggedRequest = Effect.fnUntraced(function* ({ id: environment_id, key_id, kind }: TestEnvironment) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const id = (yield* Ids).mint("req", now)
  yield* Effect.orDie(sql`insert into request_logs (environment_id, id, production, api_key_id, method, route, status,
      duration_ms, source_address, replayed, trace_id, created_at)
    values (${environment_id}, ${id}, ${kind === "production"}, ${key_id}, 'GET', '/v1/account', 200, 1, '127.0.0.1',
      false, ${"1".repeat(32)}, ${new Date(now)})`)
  return id
})

/** An account at the number provider, and what was asked for it first: in a sandbox it is connected by then. */
const numprovAccount = Effect.fnUntraced(function* ({ key }: TestEnvironment, body: unknown) {
  const { post } = yield* Api
  const answer = yield* post("/v1/provider-connections/numprov", body, { key, idempotencyKey: "seed numprov" })
  yield* quiesce
  return {
    numprov_connection_id: answer.body.id as string,
    numprov_operation_id: answer.body.latest_operation.id as string
  }
})

/** An advance of a clock that shows real time all the same, so that everything else of the stage does too. */
const settledAdvance = Effect.fnUntraced(function* ({ id: environment_id }: TestEnvironment) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const id = (yield* Ids).mint("sca", now)
  const at = new Date(now)
  const never = new Date(Date.parse("2100-01-01T00:00:00Z"))
  yield* Effect.orDie(sql`insert into sandbox_clocks (environment_id, due_at) values (${environment_id}, ${never})
    on conflict do nothing`)
  yield* Effect.orDie(sql`insert into sandbox_clock_advances (environment_id, id, status, from_at, target_at, reached_at,
      settled_at, step_began_at, stood, created_at)
    values (${environment_id}, ${id}, 'settled', ${at}, ${at}, ${at}, ${at}, ${at}, false, ${at})`)
  return id
})

/** An authorization that a bank's customer has given, which no call gives at once. */
const givenAuthorization = Effect.fnUntraced(function* ({ id: environment_id }: TestEnvironment) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const id = (yield* Ids).mint("aga", now)
  const at = new Date(now)
  yield* Effect.orDie(sql`insert into agentic_authorizations (environment_id, id, status, bank_id, customer_name,
      customer_tax_id, max_amount, trace_id, created_at, updated_at, authorized_at, expires_at)
    values (${environment_id}, ${id}, 'authorized', 'sbbank_alpha', 'Ana', '12345678909', 10000000, 'trace', ${at}, ${at},
      ${at}, ${new Date(now + 90 * 86_400_000)})`)
  return id
})

/** A production payment of an environment that nobody connects to a provider here. */
const pendingPayment = Effect.fnUntraced(function* ({ id: environment_id, organization_id }: TestEnvironment) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const id = (yield* Ids).mint("pay", now)
  const at = new Date(now)
  yield* Effect.orDie(sql`insert into payment_requests (environment_id, id, environment, account_id, status, amount,
      provider, mode, expires_in_seconds, trace_id, created_at, updated_at)
    values (${environment_id}, ${id}, 'production', ${organization_id}, 'link_pending', 1255000, 'pixprov2',
      'hosted_checkout', 86400, 'trace', ${at}, ${at})`)
  return id
})

/** A connection that waits to be completed, as an interrupted signup leaves it. */
export const pendingConnection = Effect.fnUntraced(function* ({ id: environment_id, kind }: TestEnvironment) {
  const sql = yield* SqlClient.SqlClient
  const secrets = yield* Secrets
  const now = yield* Clock.currentTimeMillis
  const id = (yield* Ids).mint("pcn", now)
  const credential = secrets.seal("provider_credential", "token of a signup", `${environment_id}/${id}`)
  yield* Effect.orDie(sql`insert into provider_connections (environment_id, id, environment, provider, channel, status,
      display_name, credential, credential_last_four, created_at, updated_at)
    values (${environment_id}, ${id}, ${kind}, 'upstream', 'chatapp', 'pending', 'Shop', ${credential}, 'gnup',
      ${new Date(now)}, ${new Date(now)})`)
  return id
})

/** An account at the number provider that an environment had before. */
export const formerNumprovAccount = Effect.fnUntraced(function* ({ id: environment_id, kind }: TestEnvironment) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const id = (yield* Ids).mint("npc", now)
  yield* Effect.orDie(sql`insert into numprov_connections (environment_id, id, environment, status, display_name,
      account_id, created_at, updated_at, disconnected_at)
    values (${environment_id}, ${id}, ${kind}, 'disconnected', 'Shop', 'AC1', ${new Date(now)}, ${new Date(now)},
      ${new Date(now)})`)
})

/** Lets an organization order as many numbers as it likes. */
const mayRent = Effect.fnUntraced(function* (organizationId: string) {
  const sql = yield* SqlClient.SqlClient
  yield* declare(organizationId, "approved")
  yield* sql`insert into account_plans (account_id, effective_from, plan_offering_id)
    values (${organizationId}, '2026-01-01T00:00:00Z', 'plo_scale') on conflict do nothing`
}, Effect.orDie)
/** A group of a number that nobody connects to a provider here. */
const activeGroup = Effect.fnUntraced(function* ({ id: environment_id, kind }: TestEnvironment, numberId: string) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const id = (yield* Ids).mint("grp", now)
  yield* Effect.orDie(sql`insert into groups (environment_id, id, environment, phone_number_id, subject, status, trace_id,
      created_at, updated_at)
    values (${environment_id}, ${id}, ${kind}, ${numberId}, 'Customers', 'active', ${"1".repeat(32)}, ${new Date(now)},
      ${new Date(now)})`)
  return id
})

/** The templates every sandbox begins with, which seeded tenants lack. */
const seedTemplates = Effect.fnUntraced(function* ({ id, kind }: TestEnvironment) {
  const commit = yield* Commit
  const ids = yield* Ids
  const at = yield* Clock.currentTimeMillis
  const sql = yield* SqlClient.SqlClient
  const present = yield* Effect.orDie(sql`select 1 from templates where environment_id = ${id} and name = 'welcome'`)
  if (present.length > 0) return
  yield* commit.write([...seededTemplateRows(ids, { environment_id: id, kind, at })])
})

export type Things = Effect.Success<ReturnType<typeof seedThings>>

/** Where one of a thing is made by its example: a POST to the path beneath which it is read by its id. */
export const collections = operations.flatMap(({ operationId, path, requestBody }) => {
  const id = operations.map((one) => idBeneath(path, one)).find((name) => name !== undefined)
  const isBeneath = path.includes("{")
  return requestBody === undefined || id === undefined || isBeneath ? [] : [{ create: operationId, id, path }]
})

/** Lists of what the product itself or a provider offers: they are short, and the ids of their rows are not minted here. */
export const catalogs: ReadonlySet<string> = new Set([
  "/v1/agentic/banks",
  "/v1/rate-cards",
  "/v1/billing/plans",
  "/v1/phone-numbers/available-regions",
  "/v1/provider-connections/numprov/{numprov_connection_id}/resources"
])

/**
 * Lists of a billing account's rows, which belong to no environment, and of what its numbers cost, which no call of a sandbox
 * makes: the tests of their rooms fill and page them.
 */
export const ofAccounts: ReadonlySet<string> = new Set([
  "/v1/billing/packages",
  "/v1/billing/phone-management",
  "/v1/billing/phone-renewal"
])

/** Credits the organization by hand, which its ledger shows. */
export const creditOnce = Effect.fnUntraced(function* (organizationId: string) {
  const now = yield* Clock.currentTimeMillis
  const asked = { type: "credit", amount: 10_000, source: "manual", reason: "test" } as const
  yield* (yield* Corrections).ask(organizationId, asked, now)
  ;(yield* BillingAccountEntity.client).wake(organizationId)
  yield* quiesce
})

/** Raises one event as a room would; answers its id. */
export const raise = Effect.fnUntraced(function* (environment: Pick<TestEnvironment, "id" | "kind">) {
  const outbox = yield* Outbox
  const commit = yield* Commit
  const row = sampleRow(outbox, "message.received", {
    environment_id: environment.id,
    environment: environment.kind,
    source_id: "msg_00000000000000000000000000",
    trace_id: "1".repeat(32),
    at: yield* Clock.currentTimeMillis
  })
  yield* commit.write([row])
  return String(row.values.id)
})

/** What examples are written for. */
export interface ExampleOf {
  readonly phone_number_id: string
  readonly environment: "sandbox" | "production"
}

/** The body that the description shows for each operation that takes one, about that number. */
const describedExamples = (phone_number_id: string): Readonly<Record<string, object>> =>
  Object.fromEntries(
    operations.flatMap(({ operationId, requestBody }) => {
      const example = requestBody?.content?.["application/json"]?.example
      if (example === undefined) return []
      return [[operationId, JSON.parse(JSON.stringify(example).replaceAll(/pn_[0-9a-z]{26}/g, phone_number_id))]]
    })
  )

/**
 * A whole, valid body for every operation that takes one: as the description shows it, and by hand where a test needs
 * more, or an environment.
 */
export const examples = ({ environment, phone_number_id }: ExampleOf): Readonly<Record<string, object>> => ({
  ...describedExamples(phone_number_id),
  "apiKeys.create": {
    name: "Integração",
    environment,
    scopes: ["messages:read", "webhooks:read"],
    expires_at: "2027-01-01T00:00:00Z"
  },
  "deviceAuthorizations.create": {
    client_name: "Agente",
    environment,
    scopes: ["messages:read"],
    expires_at: "2027-01-01T00:00:00Z"
  },
  "feedback.create": {
    message: "The list is slow.",
    related_error: { code: "invalid_cursor", request_id: "req_1", trace_id: "trace" },
    context: { route: "GET /v1/messages" }
  },
  "messages.send": {
    channel: "chatapp",
    sender: { type: "chatapp_phone_number", id: phone_number_id },
    recipient: { type: "phone_e164", id: "+5511912345678" },
    message: { type: "text", text: { body: "Olá", preview_url: false } },
    metadata: { order: "42" }
  },
  "sandbox.simulateInbound": {
    channel: "chatapp",
    from: "+5511912345678",
    to: phone_number_id,
    type: "text",
    text: { body: "oi" },
    metadata: { order: "42" },
    profile_name: "Maria"
  },
  "webhooks.endpoints.update": {
    url: "https://hooks.example.test/other",
    description: "Outros",
    subscribed_events: ["message.received"],
    status: "active"
  },
  "webhooks.endpoints.recover": { from: "2025-12-31T00:00:00Z", to: null },
  "agentic.authorizations.revoke": {},
  "payments.cancel": {},
  "webhooks.events.bulkResend": { event_type: "message.received", status: "failed", limit: 10 }
})

/** Prefixes of ids that no read by a path shows. */
const prefixes: Readonly<Record<string, IdPrefix>> = {
  message_id: "msg",
  listen_session_id: "wls",
  payment_method_id: "bpm",
  phone_number_id: "pn"
}

/** What a path id is the id of, as the prefix of what a read of that path answers. */
const prefixOf = (name: string): string | undefined => {
  const read = operations.find(({ method, path }) => method === "GET" && thingsIn(path).endsWith(`/{${name}}`))
  const schema = read && responseOf(read, 200)?.content?.["application/json"]?.schema
  const shown =
    schema?.$ref === undefined ? schema : description.components.schemas[schema.$ref.split("/").at(-1) ?? ""]
  return prefixes[name] ?? /^\^([a-z]+)_/.exec(shown?.properties?.id?.pattern ?? "")?.[1]
}

/** A well-formed id that was never given to anything. */
export const neverExisted = (name: string) =>
  Effect.gen(function* () {
    const ids = yield* Ids
    const prefix = prefixOf(name)
    if (prefix === undefined) return yield* Effect.die(new Error(`what is a ${name}?`))
    return ids.mint("evt", yield* Clock.currentTimeMillis).replace("evt", prefix)
  })

/** Texts that no id looks like. gaps-1 A "Identifier format" */
export const strangeIds = [
  "🙂",
  "\u0000",
  "msg_\u0000",
  "x".repeat(10_240),
  "..",
  "%",
  "' or 1=1 --",
  "msg_01KAH7V3M8Q6X2R9D4T5W0Y1Z3",
  "\u202emsg",
  "null",
  "0"
] as const
