import { Commit } from "@carteiro/owners/Commit.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeClaim } from "../../packages/owners/idempotency/Claim.ts"
import { type Answer, Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { seedKey, seedProject, type TestEnvironment } from "../support/Tenants.ts"
import { instant } from "../support/Told.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import {
  bodySchema,
  type DescribedOperation,
  description,
  operation,
  operations,
  pathOf,
  responseOf
} from "./Described.ts"
import { type JsonSchema, resolved, violations } from "./JsonSchema.ts"
import {
  catalogs,
  collections,
  creditOnce,
  examples,
  formerNumprovAccount,
  loggedRequest,
  ofAccounts,
  pendingConnection,
  raise,
  seedThings
} from "./Stage.ts"

const accountChannels: ReadonlySet<string> = new Set(["chatapp", "socialapp", "payments", "agentic_payments"])

const errorSchema: JsonSchema = { $ref: "#/components/schemas/Error" }

const cursorNames = new Set(["starting_after", "after"])
const lists = operations.flatMap((one) => {
  const cursor = one.parameters.find(({ name }) => cursorNames.has(name))
  return cursor === undefined || one.path.includes("{") || catalogs.has(one.path) || ofAccounts.has(one.path)
    ? []
    : [{ path: one.path, cursor: cursor.name }]
})

/** Whether it answers JSON: an export is a file. */
const isJson = (one: DescribedOperation): boolean =>
  Object.keys(responseOf(one, 200)?.content ?? {}).every((type) => type === "application/json")

/** Which of the members that stand for each other an example has. */
const oneOfMany: Readonly<Record<string, ReadonlyArray<string>>> = { "batches.create": ["recipients"] }

/** Lists of what is no thing of its own, and lists beneath one thing. */
const isRows = (path: string): boolean => /\/\{batch_id\}\/(?:recipients|failures)$/.test(path)

/** The members of a body that it cannot do without: what many have in common, such as a slug, is left out. */
const requiredOf = (operationId: string, body: object): object => {
  const schema = bodySchema(operation(operationId))
  const required = schema === undefined ? [] : (resolved(schema, description.components.schemas).required ?? [])
  const needed = [...required, ...(oneOfMany[operationId] ?? [])]
  return Object.fromEntries(Object.entries(body).filter(([name]) => needed.includes(name)))
}

/** What tells things apart that cannot be alike. */
const named = (path: string, n: number): object => {
  if (path === "/v1/templates") return { name: `template_${n}` }
  // Batches that do not start fill no other list.
  return path === "/v1/batches" ? { scheduled_at: "2026-01-20T00:00:00Z" } : {}
}

/** What fills each list, in the environment a list shows. */
const fill = Effect.fnUntraced(function* (environment: TestEnvironment, count: number) {
  const { post } = yield* Api
  const things = yield* seedThings(environment)
  const bodies = examples({ phone_number_id: things.phone_number_id, environment: environment.kind })
  const ask = (path: string, body: unknown) => (n: number) =>
    Effect.map(post(path, body, { key: environment.key, idempotencyKey: `${path} ${n}` }), ({ status, text }) =>
      assert.isTrue(status < 300 || status === 409, text)
    )
  const times = <A, E, R>(make: (n: number) => Effect.Effect<A, E, R>) =>
    Effect.forEach(
      Array.from({ length: count }, (_, n) => n),
      make,
      { discard: true }
    )
  yield* times(() => raise(environment))
  yield* times(() => loggedRequest(environment))
  yield* times(() => seedNumber(environment))
  yield* times((n) => ask("/v1/contacts/opt-in", { phone: `+551191234${1000 + n}` })(n))
  yield* times(() => creditOnce(environment.organization_id))
  yield* times(() => pendingConnection(environment))
  yield* times(() => formerNumprovAccount(environment))
  yield* times(ask("/v1/media/uploads", bodies["media.uploads.create"]))
  // Receivers last, as each would be given every event.
  const made = collections.filter(({ path }) => lists.some((list) => list.path === path))
  const last = ({ path }: { readonly path: string }) => Number(path === "/v1/webhook-endpoints")
  for (const { create, path } of made.toSorted((one, other) => last(one) - last(other))) {
    const { authorization_id = "" } = things as Readonly<Record<string, string>>
    const made = path === "/v1/agentic/payments" ? { authorization_id } : {}
    const body = { ...requiredOf(create, bodies[create] ?? {}), ...made }
    yield* times((n) => ask(path, { ...body, ...named(path, n) })(n))
  }
  return things
})

/** Every member of an answer with its name, however deep; what callers or receivers sent is theirs. */
const members = (value: unknown, name = ""): ReadonlyArray<readonly [string, unknown]> => {
  if (name === "payload" || name === "metadata") return []
  if (typeof value !== "object" || value === null) return [[name, value]]
  return [[name, value], ...Object.entries(value).flatMap(([key, member]) => members(member, key))]
}

it.layer(WholeProduct(), { excludeTestServices: true })("Envelope", (it) => {
  it.effect("every list pages its rows without repeating or skipping one A-CONV-13 A-CONV-14 A-CONV-16", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const environment = (yield* seedProject(acme.organization_id, "paged")).sandbox
      yield* fill(environment, 24)
      const key = environment.key
      assert.isAbove(lists.length, 5)
      for (const { cursor, path } of lists) {
        const whole = yield* get(`${path}?limit=50`, { key })
        const all = (whole.body.data as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)
        assert.isAtLeast(all.length, 20, path)
        assert.deepStrictEqual([...new Set(all)], all, path)
        assert.deepStrictEqual([...all].sort().reverse(), all, `${path} is not newest first`)

        const standard = yield* get(path, { key })
        assert.deepStrictEqual(standard.body.data, whole.body.data.slice(0, 20), `${path} has another default size`)
        const paged: Array<string> = []
        let next: string | null = null
        do {
          const more: string = next === null ? "" : `&${new URLSearchParams({ [cursor]: next })}`
          const page: Answer = yield* get(`${path}?limit=7${more}`, { key })
          const beside = path === "/v1/request-logs" ? ["not_kept"] : []
          assert.hasAllKeys(page.body, ["object", "data", "has_more", "next_cursor", "trace_id", ...beside])
          assert.strictEqual(page.body.object, "list")
          assert.strictEqual(page.body.has_more, page.body.next_cursor !== null, path)
          assert.isTrue(page.body.data.length === 7 || !page.body.has_more, path)
          paged.push(...page.body.data.map(({ id }: { readonly id: string }) => id))
          next = page.body.next_cursor
        } while (next !== null)
        assert.deepStrictEqual(paged, all, path)
      }
    })
  )

  it.effect(
    "every answer carries its trace, ids with prefixes, and instants in UTC A-CONV-10 A-CONV-12 A-CONV-22 A-CONV-23",
    () =>
      Effect.gen(function* () {
        const { acme, get } = yield* Api
        const things = yield* seedThings(acme.sandbox)
        const reads = operations.filter((one) => one.method === "GET" && isJson(one))
        for (const { operationId, parameters, path } of reads) {
          const asked = parameters.filter((parameter) => parameter.in === "query" && parameter.required === true)
          const query = asked.map(({ name }) => `${name}=${things[name as keyof typeof things]}`).join("&")
          const trace = `trace-of-${operationId.replaceAll(".", "-")}`
          const options = { key: acme.sandbox.key, headers: { "svc-trace-id": trace } }
          const { body, headers, status, text } = yield* get(`${pathOf(path, things)}?${query}`, options)
          assert.strictEqual(status, 200, `${path} ${text}`)
          assert.strictEqual(headers["svc-trace-id"], trace, path)
          // What keeps a trace of its own shows that one.
          const own =
            /agentic\/\w+\/\{|payments\/\{|messages\/|webhook-events\/\{|request-logs\/\{|listen\/\{|batches\/\{batch_id\}$/
          const keeps = own.test(path) || /media\/\{asset_id\}$|transcriptions\/\{/.test(path)
          assert.strictEqual(body.trace_id === trace, !keeps, path)
          assert.isString(body.object, path)
          for (const row of isRows(path) ? [] : body.object === "list" ? body.data : path.includes("{") ? [body] : []) {
            if (!catalogs.has(path)) assert.match(row.id, /^(?:[a-z]+_[0-9a-z]{26}|mss_[0-9a-f-]{36})$/, path)
            assert.isString(row.object, path)
          }
          for (const [name, value] of members(body)) {
            if (/_at$/.test(name) && value !== null) assert.match(String(value), instant, `${path} ${name}`)
          }
        }
      })
  )

  it.effect(
    "each status has its type, and every refusal the one envelope A-ERR-01 A-ERR-06 A-ERR-08 A-ERR-09 A-ERR-10 A-ERR-11 A-ERR-12 A-ERR-13 A-ERR-14",
    () =>
      Effect.gen(function* () {
        const { acme, get, other, post } = yield* Api
        const sql = yield* SqlClient.SqlClient
        const key = acme.sandbox.key
        const { key: bare } = yield* seedKey(acme.sandbox, { scopes: [] })
        const things = yield* seedThings(acme.sandbox)
        const project = { name: "Feira", slug: "feira" }
        yield* post("/v1/projects", project, { key, idempotencyKey: "first" })
        yield* sql`update organizations set credit_blocked = true where id = ${other.organization_id}`
        const refusals: ReadonlyArray<readonly [Answer, number, string, string]> = [
          [yield* get("/v1/messages?limit=0", { key }), 400, "validation_error", "invalid_messages_query"],
          [yield* post("/v1/projects", "{", { key }), 400, "validation_error", "http_exception"],
          [yield* get("/v1/account"), 401, "authentication_error", "authentication_error"],
          [
            yield* post("/v1/projects", project, { key: other.production.key }),
            402,
            "payment_required",
            "credit_balance_exhausted"
          ],
          [yield* get("/v1/messages", { key: bare }), 403, "authorization_error", "insufficient_scope"],
          [yield* get("/v1/messages/msg_none", { key }), 404, "not_found", "message_not_found"],
          [yield* get("/v1/nothing", { key }), 404, "not_found", "route_not_found"],
          [yield* post("/v1/projects", project, { key }), 409, "conflict", "project_slug_taken"],
          [
            yield* post("/v1/projects", { name: "Other" }, { key, idempotencyKey: "first" }),
            409,
            "idempotency_conflict",
            "idempotency_key_conflict"
          ],
          [yield* post("/v1/projects", "x".repeat(10_485_761), { key }), 413, "validation_error", "payload_too_large"],
          [
            yield* post("/v1/projects", project, { key, headers: { "content-type": "text/plain" } }),
            415,
            "validation_error",
            "http_exception"
          ]
        ]
        for (const [answer, status, type, code] of refusals) {
          const { error } = answer.body
          assert.deepStrictEqual([answer.status, error?.type, error?.code], [status, type, code], answer.text)
          assert.deepStrictEqual(violations(answer.body, errorSchema, description.components.schemas), [], code)
          assert.deepStrictEqual(Object.keys(answer.body), ["error"])
          assert.strictEqual(error.request_id, answer.headers["svc-request-id"])
          assert.strictEqual(error.trace_id, answer.headers["svc-trace-id"])
          assert.strictEqual("retryable" in error, code === "credit_balance_exhausted", code)
          assert.strictEqual("discovery" in error, code === "route_not_found", code)
          assert.strictEqual("www-authenticate" in answer.headers, status === 401, code)
          assert.notProperty(error, "feedback", code)
          assert.notProperty(answer.headers, "retry-after", code)
        }
        const reply = { reply_to: { message_id: "msg_none" } }
        const bodies = examples({ phone_number_id: things.phone_number_id, environment: "sandbox" })
        const quoting = yield* post("/v1/messages", { ...bodies["messages.send"], ...reply }, { key })
        assert.strictEqual(quoting.body.error.code, "message_not_found")
        assert.deepStrictEqual(quoting.body.error.feedback, { endpoint: "/v1/feedback", method: "POST" })
      })
  )

  it.effect(
    "a project has exactly a sandbox and a production environment, and a key belongs to one A-CONV-01 A-CONV-02",
    () =>
      Effect.gen(function* () {
        const { acme, get, post } = yield* Api
        const made = yield* post("/v1/projects", { name: "Duas" }, { key: acme.sandbox.key })
        const read = yield* get(`/v1/projects/${made.body.id}`, { key: acme.production.key })
        for (const { body } of [made, read]) {
          assert.deepStrictEqual(
            body.environments.map(({ kind }: { readonly kind: string }) => kind),
            ["sandbox", "production"]
          )
        }
        for (const environment of [acme.sandbox, acme.production, acme.sibling.sandbox]) {
          const { body } = yield* get("/v1/account", { key: environment.key })
          assert.deepStrictEqual(
            [body.project.id, body.environment.id, body.environment.kind],
            [environment.project_id, environment.id, environment.kind]
          )
        }
      })
  )

  it.effect(
    "an answer stored before a field existed is replayed without it A-VER-06 A-VER-08 A-IDEM-04 A-IDEM-05",
    () =>
      Effect.gen(function* () {
        const { acme, get, post } = yield* Api
        const sql = yield* SqlClient.SqlClient
        const commit = yield* Commit
        const environment = (yield* seedProject(acme.organization_id, "replayed")).sandbox
        const options = { key: environment.key, idempotencyKey: "long ago" }
        const first = yield* post("/v1/projects", { name: "Antiga" }, options)
        const { environments: _, ...older } = first.body
        const body = `${JSON.stringify(older)} `
        const [claim] = yield* sql<{ environment_id: string; key_hash: string; fingerprint: string }>`
        delete from idempotency_records where environment_id = ${environment.id}
        returning environment_id, key_hash, fingerprint`
        if (claim === undefined) return assert.fail("no record")
        const now = yield* Clock.currentTimeMillis
        yield* commit.write([], {
          claim: makeClaim({ ...claim, expires_at: now + 86_400_000 }),
          response: { status: 201, body }
        })
        const before = yield* get("/v1/projects?limit=50", { key: acme.sandbox.key })
        const replay = yield* post("/v1/projects", { name: "Antiga" }, options)
        assert.deepStrictEqual([replay.status, replay.text], [201, body])
        assert.strictEqual(replay.headers["svc-idempotent-replayed"], "true")
        assert.deepStrictEqual(
          (yield* get("/v1/projects?limit=50", { key: acme.sandbox.key })).body.data,
          before.body.data
        )
      })
  )

  it("channels are spelled chatapp, socialapp and chatapp_channel wherever they occur A-CONV-04", () => {
    const named: Array<unknown> = []
    const walk = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return
      const { name, properties, schema } = value as {
        readonly name?: unknown
        readonly properties?: Readonly<Record<string, JsonSchema>>
        readonly schema?: JsonSchema
      }
      if (properties?.channel !== undefined) named.push(properties.channel.enum)
      if (name === "channel" && schema !== undefined) named.push(schema.enum)
      for (const inner of Object.values(value)) walk(inner)
    }
    walk(description)
    assert.isAbove(named.length, 4)
    for (const literals of named as ReadonlyArray<ReadonlyArray<unknown>>) {
      const channels = literals.filter((one) => one !== null)
      // An account is connected for payments too, and a channel of a number needs none of its own.
      const ofAccounts = channels.every((one) => accountChannels.has(String(one)))
      if (!ofAccounts) assert.deepStrictEqual(channels, ["chatapp", "socialapp", "chatapp_channel"])
    }
  })
})
