import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { operatorUrl } from "@carteiro/outbound/Calls.ts"
import { makeUpstream } from "@carteiro/provider-upstream/Upstream.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { overSockets } from "../support/Vendors.ts"

/** Reads an input of `test/cases/upstream`. */
const caseOf = (name: string) =>
  JSON.parse(readFileSync(new URL(`../cases/upstream/${name}.json`, import.meta.url), "utf8"))

/** A platform that gives each path its answer, and notes what was asked. */
const answering = (answers: Readonly<Record<string, object>>) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<{
          readonly url: string
          readonly asked: Array<URL>
          readonly bodies: Array<string>
          readonly close: () => void
        }>((resolve) => {
          const asked: Array<URL> = []
          const bodies: Array<string> = []
          const server = createServer((request, response) => {
            const url = new URL(request.url ?? "", "http://localhost")
            asked.push(url)
            request.setEncoding("utf8")
            request.on("data", (chunk: string) => bodies.push(chunk))
            const answer = answers[url.pathname] ?? { error: { code: 100, message: "no such object" } }
            response.statusCode = "error" in answer ? 400 : 200
            response.end(JSON.stringify(answer))
          })
          server.listen(0, "127.0.0.1", () =>
            resolve({
              url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
              asked,
              bodies,
              close: () => {
                server.closeAllConnections()
                server.close()
              }
            })
          )
        })
    ),
    ({ close }) => Effect.sync(close)
  )

/** The field, part or member of a recorded request. */
const partOf = (body: string, name: string) => new RegExp(`name="${name}"\\r\\n\\r\\n([^\\r]*)`).exec(body)?.[1]

const adapterTo = (url: string) =>
  overSockets(makeUpstream({ url: operatorUrl(url), version: "v23.0", messagingProduct: "whatsapp" }))

const token = Redacted.make("token")

it.live("a group's deletion is accepted by its success, which names no request U-GRP-01", () =>
  Effect.gen(function* () {
    const { answer } = caseOf("group-delete-answer")
    const stand = yield* answering({ "/v23.0/group-1": answer })
    const groups = (yield* adapterTo(stand.url)).groups({ upstream_phone_number_id: "1001", token })
    assert.deepStrictEqual(yield* groups.remove("group-1"), { _tag: "Done", value: { request_id: null } })
    assert.notStrictEqual((yield* groups.remove("group-2"))._tag, "Done")
  }).pipe(Effect.scoped)
)

it.live("the portfolio's limit counts, and the number's own one only without it U-LIM-01", () =>
  Effect.gen(function* () {
    const { answer, want } = caseOf("answer-phone-number-2026")
    const own = { ...answer, whatsapp_business_manager_messaging_limit: undefined, messaging_limit_tier: "TIER_1K" }
    const [asked, limits]: [Array<URL>, Array<unknown>] = [[], []]
    for (const one of [answer, { ...answer, messaging_limit_tier: "TIER_250" }, own, { id: answer.id }]) {
      const stand = yield* answering({ [`/v23.0/${answer.id}`]: one })
      const health = (yield* adapterTo(stand.url)).health({ upstream_phone_number_id: answer.id, token })
      const read = yield* health.read
      limits.push(read._tag === "Done" ? read.value.messaging_limit_tier : read._tag)
      asked.push(...stand.asked)
    }
    assert.deepStrictEqual(limits, ["TIER_100K", "TIER_100K", "TIER_1K", null])
    assert.isTrue(String(want).startsWith("tier_100k"))
    for (const { searchParams } of asked) {
      assert.include((searchParams.get("fields") ?? "").split(","), "whatsapp_business_manager_messaging_limit")
    }
  }).pipe(Effect.scoped)
)

it.live("no read names the account's permissions, which the platform does not have U-GRP-01", () =>
  Effect.gen(function* () {
    const { a } = caseOf("answer-waba-permissions")
    const host = { id: "1", platform_type: "CLOUD_API", is_on_biz_app: false, is_official_business_account: true }
    const refusedBy = (code: number) => ({ error: { code, message: "refused" } })
    const probes: ReadonlyArray<readonly [probe: object, may_message: boolean | null]> = [
      [{ data: { groups: [] } }, true],
      [refusedBy(10), false],
      [refusedBy(200), false],
      [refusedBy(131215), null]
    ]
    for (const [probe, may_message] of probes) {
      const { asked, url } = yield* answering({ "/v23.0/1": host, "/v23.0/1/groups": probe, "/v23.0/209": a })
      const groups = (yield* adapterTo(url)).groups({ upstream_phone_number_id: "1", token })
      assert.deepStrictEqual(yield* groups.facts, {
        _tag: "Done",
        value: { platform_type: "cloud_api", is_business_app: false, is_official: true, may_message }
      })
      assert.deepStrictEqual(
        asked.map(({ pathname, searchParams }) => [pathname, searchParams.get("fields")?.includes("permissions")]),
        [
          ["/v23.0/1", false],
          ["/v23.0/1/groups", undefined]
        ]
      )
    }
  }).pipe(Effect.scoped)
)

it.live("a lost creation never takes a stranger's flow, though the platform lists every flow U-FLW-01", () =>
  Effect.gen(function* () {
    const { answer } = caseOf("flow-find-takes-another-flow")
    const ours = { id: "5818349426000050", name: "Agenda flw_1", status: "DRAFT" }
    const stand = (data: ReadonlyArray<object>) => answering({ "/v23.0/209/flows": { data } })
    const strangers = yield* stand(answer.data)
    const flows = (yield* adapterTo(strangers.url)).flows({ biz_account_id: "209", token })
    assert.deepStrictEqual(yield* flows.find("flw_1"), { _tag: "Done", value: { provider_flow_id: null } })
    assert.deepStrictEqual(
      strangers.asked.map(({ searchParams }) => searchParams.get("external_id")),
      [null]
    )
    const alsoOurs = yield* stand([...answer.data, { ...ours, id: "1", name: "flw_12" }, ours])
    const found = (yield* adapterTo(alsoOurs.url)).flows({ biz_account_id: "209", token }).find("flw_1")
    assert.deepStrictEqual(yield* found, { _tag: "Done", value: { provider_flow_id: ours.id } })
  }).pipe(Effect.scoped)
)

it.live("a flow is created by a form with a category and a name that is ours alone U-FLW-01", () =>
  Effect.gen(function* () {
    const { body } = caseOf("request-flow-create").request
    const { asked, bodies, url } = yield* answering({ "/v23.0/209/flows": { id: "5" } })
    const flows = (yield* adapterTo(url)).flows({ biz_account_id: "209", token })
    const made = yield* flows.create({ ...body, name: `${body.name}\r\n2` })
    assert.deepStrictEqual(made, { _tag: "Done", value: { provider_flow_id: "5" } })
    assert.strictEqual(asked.length, 1)
    const form = bodies.join("")
    assert.strictEqual(partOf(form, "name"), `TF 46909 2 ${body.external_id}`)
    assert.strictEqual(partOf(form, "categories"), '["OTHER"]')
    assert.isUndefined(partOf(form, "external_id"))
  }).pipe(Effect.scoped)
)
