import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { seedTemplates } from "../messages/TypedSending.ts"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { seedKey, seedProject } from "../support/Tenants.ts"
import { turnBy } from "../support/TurnedClock.ts"
import { until } from "../support/Until.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { connected, use } from "./OfficialClient.ts"

const customer = "+5511912345678"

/** A sandbox with a number, and the official client connected with its key. */
const sandbox = (name: string) =>
  Effect.gen(function* () {
    const { acme } = yield* Api
    const project = yield* seedProject(acme.organization_id, name)
    const number = yield* seedNumber(project.sandbox)
    const client = yield* connected(project.sandbox.key)
    return { client, number, project }
  })

const namesOf = (client: Effect.Success<ReturnType<typeof connected>>) =>
  Effect.map(
    Effect.promise(() => client.listTools()),
    ({ tools }) => tools
  )

it.layer(WholeProduct(), { excludeTestServices: true })("MCP tools over the API", (it) => {
  it.effect("a key sees the tools of its scopes, a production key none that writes A-MCP-05", () =>
    Effect.gen(function* () {
      const { client, project } = yield* sandbox("mcp told")
      const all = yield* namesOf(client)
      assert.includeMembers(
        all.map(({ name }) => name),
        ["list_feedback", "get_quickstart", "send_message", "simulate_inbound", "wait_for_event", "explain_failure"]
      )
      const writing = all.filter(({ annotations }) => annotations?.readOnlyHint !== true).map(({ name }) => name)
      assert.deepStrictEqual(writing, ["send_message", "simulate_inbound"])

      const reader = yield* connected((yield* seedKey(project.sandbox, { scopes: ["messages:read"] })).key)
      const readable = (yield* namesOf(reader)).map(({ name }) => name)
      assert.include(readable, "read_message")
      for (const name of ["send_message", "simulate_inbound", "list_templates", "wait_for_event"]) {
        assert.notInclude(readable, name)
      }
      const refused = yield* use(reader, "send_message", { phone_number_id: "pn_x", to: customer, text: "Oi" })
      assert.deepStrictEqual([refused.isError, refused.structuredContent.error.code], [true, "insufficient_scope"])

      const production = yield* connected(project.production.key)
      const told = yield* namesOf(production)
      assert.isTrue(told.every(({ annotations }) => annotations?.readOnlyHint === true))
      const tried = yield* use(production, "simulate_inbound", { phone_number_id: "pn_x", from: customer, text: "Oi" })
      assert.deepStrictEqual([tried.isError, tried.structuredContent.error.code], [true, "sandbox_only_route"])
    }).pipe(Effect.scoped)
  )

  it.effect("an agent lets a customer write, answers, and reads its message, as HTTP shows it M-MSG-01 M-READ-01", () =>
    Effect.gen(function* () {
      const { client, number, project } = yield* sandbox("mcp talk")
      const asked = { phone_number_id: number.id, from: customer, text: "Oi" }
      const heard = yield* use(client, "simulate_inbound", asked)
      assert.isFalse(heard.isError)
      const given = { phone_number_id: number.id, to: customer, text: "Olá", idempotency_key: "once" }
      const sent = yield* use(client, "send_message", given)
      assert.deepStrictEqual([sent.isError, sent.structuredContent.status], [false, "queued"])
      const again = yield* use(client, "send_message", given)
      assert.strictEqual(again.structuredContent.id, sent.structuredContent.id)
      const read = yield* use(client, "read_message", { message_id: sent.structuredContent.id })
      const { get } = yield* Api
      const http = yield* get(`/v1/messages/${sent.structuredContent.id}`, { key: project.sandbox.key })
      assert.strictEqual(read.structuredContent.id, http.body.id)
      const listed = yield* use(client, "list_messages", { direction: "outbound" })
      assert.deepStrictEqual(
        listed.structuredContent.data.map(({ id }: { readonly id: string }) => id),
        [sent.structuredContent.id]
      )
      const other = yield* sandbox("mcp other")
      const foreign = yield* use(other.client, "read_message", { message_id: sent.structuredContent.id })
      assert.deepStrictEqual([foreign.isError, foreign.structuredContent.error.code], [true, "message_not_found"])
    }).pipe(Effect.scoped)
  )

  it.effect("a template is sent with its variables, and listed M-TPL-01", () =>
    Effect.gen(function* () {
      const { client, number, project } = yield* sandbox("mcp template")
      yield* seedTemplates(project.sandbox)
      const listed = yield* use(client, "list_templates", { status: "approved" })
      assert.include(
        listed.structuredContent.data.map(({ name }: { readonly name: string }) => name),
        "welcome"
      )
      const sent = yield* use(client, "send_message", {
        phone_number_id: number.id,
        to: customer,
        template: "welcome",
        variables: [{ name: "1", value: "Ana" }]
      })
      assert.deepStrictEqual([sent.isError, sent.structuredContent.status], [false, "queued"])
      // A strict mode names every argument, and null for those that are left out.
      const { tools } = yield* Effect.promise(() => client.listTools())
      const all = Object.keys(tools.find(({ name }) => name === "send_message")?.inputSchema.properties ?? {})
      const strict = {
        ...Object.fromEntries(all.map((name) => [name, null])),
        phone_number_id: number.id,
        to: customer,
        template: "welcome",
        variables: [{ name: "1", value: "Bia" }]
      }
      const second = yield* use(client, "send_message", strict)
      assert.deepStrictEqual([second.isError, second.structuredContent.status], [false, "queued"])
      const map = yield* use(client, "send_message", { ...strict, variables: { "1": "Ana" } })
      assert.deepStrictEqual([map.isError, map.structuredContent.error.param], [true, "variables"])
      const wrong = yield* use(client, "send_message", { phone_number_id: number.id, to: 5511999998888, text: "Oi" })
      assert.match(JSON.stringify(wrong), /`to`: expected a string, got a number/)
    }).pipe(Effect.scoped)
  )

  it.effect('a warning of an accepted send reaches the agent gaps-2 A "Phones outside `recipient.id`"', () =>
    Effect.gen(function* () {
      const { client, number } = yield* sandbox("mcp warning")
      const given = { phone_number_id: number.id, text: "Oi" }
      yield* use(client, "simulate_inbound", { ...given, from: "+11987654321" })
      const odd = yield* use(client, "send_message", { ...given, to: "11987654321" })
      assert.strictEqual(odd.isError, false)
      assert.deepStrictEqual(odd.content.map(({ text }) => text).slice(1), [
        "svc-warning: invalid_phone_number. No country has this phone number."
      ])
      assert.deepStrictEqual(odd._meta, { "svc-warning": "invalid_phone_number" })
      yield* use(client, "simulate_inbound", { ...given, from: customer })
      const plain = yield* use(client, "send_message", { ...given, to: customer })
      assert.deepStrictEqual([plain.content.length, plain._meta], [1, undefined])
    }).pipe(Effect.scoped)
  )

  it.effect("waiting returns with the next event A-LSN-02", () =>
    Effect.gen(function* () {
      const { client, number } = yield* sandbox("mcp wait")
      const { structuredContent: now } = yield* use(client, "wait_for_event", { start_at: "tail" })
      const waiting = yield* Effect.forkChild(
        use(client, "wait_for_event", { cursor: now.next_cursor, type: "message.received", wait_seconds: 20 })
      )
      yield* use(client, "simulate_inbound", { phone_number_id: number.id, from: customer, text: "Oi" })
      const { structuredContent: got } = yield* Fiber.join(waiting)
      assert.deepStrictEqual(
        got.data.map(({ type }: { readonly type: string }) => type),
        ["message.received"]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("a failure is explained in words with its remedy M-DLV-01", () =>
    Effect.gen(function* () {
      const { client, number } = yield* sandbox("mcp explain")
      yield* use(client, "simulate_inbound", { phone_number_id: number.id, from: customer, text: "Oi" })
      const sent = yield* use(client, "send_message", { phone_number_id: number.id, to: customer, text: "Olá" })
      const well = yield* use(client, "explain_failure", { id: sent.structuredContent.id })
      assert.match(well.structuredContent.explanation, /^It has not failed/)
      const { structuredContent: quickstart } = yield* use(client, "get_quickstart")
      const [scenario = ""] = (quickstart.capabilities.scenarios as ReadonlyArray<string>).filter((name) =>
        /fail/.test(name)
      )
      const failing = { phone_number_id: number.id, to: customer, text: "Olá", scenario }
      const failed = yield* use(client, "send_message", failing)
      const { id } = failed.structuredContent
      yield* until(
        Effect.map(
          Effect.andThen(turnBy(1000), use(client, "read_message", { message_id: id })),
          ({ structuredContent }) => structuredContent.status === "failed"
        )
      )
      const explained = (yield* use(client, "explain_failure", { id })).structuredContent
      assert.containsAllKeys(explained, ["error_code", "causes", "remedy", "doc_url"])
      const missing = yield* use(client, "explain_failure", { id: "msg_nothing" })
      assert.deepStrictEqual([missing.isError, missing.structuredContent.error.code], [true, "message_not_found"])
    }).pipe(Effect.scoped)
  )

  it.effect("half of a surrogate pair is refused by every tool that takes a text, and is no fault of ours", () =>
    Effect.gen(function* () {
      const { client } = yield* sandbox("mcp halves")
      const taken: Array<string> = []
      for (const { inputSchema, name } of yield* namesOf(client)) {
        const properties = inputSchema.properties as Readonly<Record<string, { type?: unknown; enum?: unknown }>>
        const texts = Object.keys(properties ?? {}).filter(
          (key) => [properties[key]?.type].flat().includes("string") && properties[key]?.enum === undefined
        )
        for (const key of texts) {
          taken.push(name)
          const others = Object.fromEntries((inputSchema.required ?? []).map((other) => [other, "a"]))
          const answer = yield* use(client, name, { ...others, [key]: "msg_\ud800" })
          assert.deepStrictEqual(
            [answer.isError, answer.structuredContent?.error.code, answer.structuredContent?.error.param],
            [true, "invalid_query", key],
            name
          )
        }
      }
      assert.includeMembers(taken, ["read_message", "read_delivery", "explain_failure", "get_feedback", "read_docs"])
    }).pipe(Effect.scoped)
  )

  it.effect("the guides and the pages of error codes are found and read A-VER-04", () =>
    Effect.gen(function* () {
      const { client } = yield* sandbox("mcp docs")
      const { structuredContent: pages } = yield* use(client, "read_docs", {})
      assert.include(pages.data, "webhooks")
      const { structuredContent: found } = yield* use(client, "search_docs", { query: "verify webhook signature" })
      assert.include(
        found.data.map(({ page }: { readonly page: string }) => page),
        "webhooks"
      )
      const { structuredContent: page } = yield* use(client, "read_docs", { page: "webhooks" })
      assert.match(page.text, /^# /)
      const { structuredContent: code } = yield* use(client, "read_docs", { page: "service_window_required" })
      assert.match(code.doc_url, /\/docs\/errors\/service_window_required$/)
      for (const name of ["../package.json", "nothing"]) {
        const refused = yield* use(client, "read_docs", { page: name })
        assert.deepStrictEqual([refused.isError, refused.structuredContent.error.code], [true, "invalid_query"])
      }
    }).pipe(Effect.scoped)
  )
})
