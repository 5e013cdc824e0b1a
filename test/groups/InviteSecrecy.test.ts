import type { IncomingMessage, ServerResponse } from "node:http"
import { layer as logging } from "@carteiro/runtime/telemetry/Logging.ts"
import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { run } from "../cli/Commands.ts"
import { signedIn } from "../console/Visitor.ts"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { until } from "../support/Until.ts"
import { UpstreamProduct, upstreamStage } from "../support/Upstream.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { outgoing, receiver } from "../webhooks/Deliveries.ts"

const lines: Array<string> = []
/** Every line that the product logs, the least of them too. */
const logs = logging({ level: "trace", pretty: false, destination: { write: (line) => lines.push(line) } })

/** Fails where a text holds the secret part of a link. */
const without = (links: ReadonlyArray<string>, where: string, text: string): void => {
  for (const link of links) {
    const secret = link.split("/").at(-1) ?? ""
    assert.isAbove(secret.length, 15)
    assert.isFalse(text.includes(secret), `${where} holds an invite link`)
  }
}

/** Every row of every table, bytes as they are; the links are in none, sealed or not at all. */
const noRowHolds = Effect.fnUntraced(function* (links: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ readonly name: string }>`select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`
  assert.isAbove(tables.length, 20)
  for (const { name } of tables) {
    const rows = yield* sql<{ readonly row: string }>`select to_jsonb(t)::text as row from ${sql(name)} t`
    for (const { row } of rows) {
      const bytes = row.replaceAll(/\\\\x([0-9a-f]+)/g, (_, hex: string) => Buffer.from(hex, "hex").toString("latin1"))
      without(links, `table ${name}`, bytes)
    }
  }
})

/** A receiver that says what it was sent. */
const echo = (request: IncomingMessage, response: ServerResponse): void => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => response.writeHead(500).end(Buffer.concat(chunks)))
}

const Sandbox = WholeProduct({ outgoing }).pipe(Layer.provideMerge(NodeServices.layer), Layer.provideMerge(logs))

it.layer(Sandbox, { excludeTestServices: true })("Invite links of a sandbox", (it) => {
  it.effect(
    'are in no log line, page, row of an event or error, nor what a receiver answered C-GRP-12 gaps-3 B "Invite link secrecy"',
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const api = yield* Api
          const { id: environment, key } = api.acme.sandbox
          const number = yield* seedNumber({ id: environment, kind: "sandbox" })
          const hook = yield* receiver()
          hook.server.removeAllListeners("request")
          const bodies: Array<string> = []
          hook.server.on("request", (request, response) => {
            request.on("data", (chunk: Buffer) => bodies.push(chunk.toString()))
            echo(request, response)
          })
          const endpoint = yield* api.post(
            "/v1/webhook-endpoints",
            { url: hook.url, subscribed_events: ["group.created", "group.invite_link_reset", "group.deleted"] },
            { key }
          )
          assert.strictEqual(endpoint.status, 201, endpoint.text)

          const at = (suffix = "") => `/v1/groups${suffix}`
          const made = yield* api.post(
            at(),
            { phone_number_id: number.id, subject: "May" },
            { key, idempotencyKey: "c" }
          )
          const id = made.body.id as string
          yield* turnBy(500)
          const first = (yield* api.get(at(`/${id}`), { key })).body.invite_link as string
          const reset = () => api.post(at(`/${id}/invite-link/reset`), undefined, { key, idempotencyKey: "r" })
          assert.strictEqual((yield* reset()).body.invite_link, first)
          yield* turnBy(500)
          const second = (yield* api.get(at(`/${id}`), { key })).body.invite_link as string
          assert.notStrictEqual(second, first)
          // The stored answer is opened for a replay.
          assert.strictEqual((yield* reset()).body.invite_link, first)
          const links = [first, second]
          // Keys are told, by reads, by listening, and receivers by signed deliveries.
          const heard = yield* api.get("/v1/webhook-events/listen?event_type=group.created", { key })
          assert.include(heard.text, second)
          yield* turnBy(30_000)
          assert.isTrue(bodies.some((body) => body.includes(second)))

          // Whoever pastes one somewhere gets it back from nowhere.
          const encoded = encodeURIComponent(second)
          for (const refused of [
            yield* api.get(at(`/${encoded}`), { key }),
            yield* api.get(`/v1/groups/chat.whatsapp.com/${second.split("/").at(-1)}`, { key }),
            yield* api.delete(at(`/${encoded}`), { key }),
            yield* api.get(at(`?starting_after=${encoded}`), { key }),
            yield* api.get(at(`?status=${encoded}`), { key }),
            yield* api.post(at(), { phone_number_id: second, subject: "x" }, { key }),
            yield* api.post(at(), { phone_number_id: number.id, subject: "x", join_approval_mode: second }, { key }),
            yield* api.post(`/v1/sandbox/groups/${id}/participants`, { action: second, chat_id: "1" }, { key })
          ]) {
            assert.isAtLeast(refused.status, 400)
            without(links, refused.text, refused.text)
          }

          // A path that no route has, and a parameter that none knows, are named in the refusal (A-ERR-21, C-ELIG-14).
          assert.strictEqual((yield* api.post(at(`/${second}`), {}, { key })).status, 404)
          assert.strictEqual((yield* api.get(at(`?${encoded}=1`), { key })).status, 400)

          const someone = yield* signedIn(api.acme)
          const events = yield* api.get("/v1/webhook-events?limit=50", { key })
          const delivery = (events.body.data as ReadonlyArray<{ readonly id: string }>).at(0)?.id
          for (const page of [
            `/dashboard/groups?environment=${environment}`,
            `/dashboard/groups/${environment}/${id}`,
            `/dashboard/webhooks?environment=${environment}`,
            `/dashboard/webhooks/${environment}/${endpoint.body.id}`,
            `/dashboard/webhooks/${environment}/deliveries/${delivery}`,
            `/dashboard/phone-numbers/${environment}/${number.id}`
          ]) {
            const shown = yield* someone.get(page)
            without(links, page, shown.text)
          }
          assert.include((yield* someone.get(`/dashboard/groups/${environment}/${id}`)).text, "kept secret")
          for (const words of [
            ["list", "-e", environment],
            ["show", id, "-e", environment],
            ["show", id, "-e", environment, "--json"]
          ]) {
            const ran = yield* run("groups", ...words)
            assert.isTrue(ran.ok, ran.refusal)
            without(links, `carteiro groups ${words[0]}`, ran.text)
          }
          yield* api.delete(at(`/${id}`), { key })
          yield* turnBy(500)
          assert.isAbove(lines.length, 3)
          without(links, "the log", lines.join("\n"))
          yield* noRowHolds(links)
        })
      )
  )
})

const reports = { CARTEIRO_GROUPS_UPSTREAM_REPORTS_ENABLED: "true" }
const Production = UpstreamProduct({ settings: reports }).pipe(Layer.provideMerge(logs))

it.layer(Production, { excludeTestServices: true })("Invite links of the platform", (it) => {
  it.effect('are in no row of its reports either, nor in a log line C-GRP-12 gaps-3 B "Invite link secrecy"', () =>
    Effect.gen(function* () {
      const { api, key, number } = yield* upstreamStage
      const made = yield* api.post("/v1/groups", { phone_number_id: number.id, subject: "May" }, { key })
      const read = Effect.map(api.get(`/v1/groups/${made.body.id}`, { key }), ({ body }) => body)
      yield* until(Effect.map(read, ({ status }) => status === "active"))
      const first = (yield* read).invite_link as string
      yield* api.post(`/v1/groups/${made.body.id}/invite-link/reset`, undefined, { key, idempotencyKey: "again" })
      yield* until(Effect.map(read, ({ invite_link }) => invite_link !== first))
      const links = [first, (yield* read).invite_link as string]
      yield* noRowHolds(links)
      without(links, "the log", lines.join("\n"))
    })
  )
})
