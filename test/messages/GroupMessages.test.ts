import { InboundContent } from "@carteiro/schema/messages/InboundContent.ts"
import { MessageReceived } from "@carteiro/schema/messages/MessageEvents.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { turnBy } from "../support/OwnerTest.ts"
import { told as refusal } from "../support/Told.ts"
import { until } from "../support/Until.ts"
import { UpstreamProduct } from "../support/Upstream.ts"
import { upstreamCase } from "../support/UpstreamCase.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { hiddenStage } from "./HiddenStage.ts"
import { sandboxProject } from "./SandboxProject.ts"

const plus = (phone: string) => encodeURIComponent(`+${phone}`)

it.layer(UpstreamProduct({ settings: { CARTEIRO_GROUPS_UPSTREAM_REPORTS_ENABLED: "true" } }), {
  excludeTestServices: true
})("Messages of groups", (it) => {
  it.effect("name a group that is not known by the platform's id, and are no private message U-INB-06 U-GRP-01", () =>
    Effect.gen(function* () {
      const { contacts, messageOf, read, received, send, sql, tell, text } = yield* hiddenStage
      const { input } = upstreamCase("group-message")
      const [message] = input.entry[0].changes[0].value.messages
      yield* tell(input)
      const id = yield* messageOf(message.id)
      const group = { group_id: null, provider_group_id: message.group_id }
      const data = yield* received(id)
      assert.isTrue(Schema.is(MessageReceived.data)(data))
      assert.isTrue(Schema.is(InboundContent)(data.content))
      assert.deepInclude(data, group)
      const shown = yield* read(id)
      assert.deepInclude(shown, group)
      assert.deepInclude(shown.sender, { id: "+5511900010055", profile_name: "Cliente Teste" })
      assert.lengthOf(yield* sql`select 1 from service_windows where customer_key = '5511900010055'`, 0)
      assert.strictEqual((yield* send(text("oi"), "+5511900010055")).body.error.code, "service_window_required")
      assert.deepStrictEqual(yield* contacts(`&phone=${plus("5511900010055")}`), [])
    })
  )

  it.effect("name a group of ours, and are no opt-out of private messages U-INB-06 U-INB-09", () =>
    Effect.gen(function* () {
      const { api, contacts, heard, key, number, read, received } = yield* hiddenStage
      const made = yield* api.post("/v1/groups", { phone_number_id: number.id, subject: "Clube" }, { key })
      const group = Effect.map(api.get(`/v1/groups/${made.body.id}`, { key }), ({ body }) => body)
      yield* until(Effect.map(group, ({ status }) => status === "active"))
      const { id: group_id, provider_group_id } = yield* group
      const from = "5511974300001"
      const member = contacts(`&phone=${plus(from)}`)
      yield* heard({ from })
      assert.notProperty(yield* received(yield* heard({ from })), "group_id")
      const id = yield* heard({ from }, "PARAR", { group_id: provider_group_id })
      assert.deepInclude(yield* received(id), { group_id, provider_group_id })
      assert.deepInclude(yield* read(id), { group_id, provider_group_id })
      assert.strictEqual((yield* member)[0]?.opt_in_status, "none")
      yield* heard({ from }, "PARAR")
      assert.strictEqual((yield* member)[0]?.opt_in_status, "opted_out")
    })
  )
})

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Simulated messages of groups", (it) => {
  it.effect("belong to an active group of the number, and to no conversation U-INB-06", () =>
    Effect.gen(function* () {
      const { api, key, number, project, simulate } = yield* sandboxProject
      const sql = yield* SqlClient.SqlClient
      const { body: group } = yield* api.post("/v1/groups", { phone_number_id: number.id, subject: "Clube" }, { key })
      const early = yield* simulate({ group_id: group.id })
      assert.deepStrictEqual(refusal(early), [404, "group_not_found", "group_id"])
      yield* turnBy(1000)
      const made = yield* simulate({ group_id: group.id })
      assert.strictEqual(made.status, 202, made.text)
      const { provider_group_id } = (yield* api.get(`/v1/groups/${group.id}`, { key })).body
      const read = (yield* api.get(`/v1/messages/${made.body.id}`, { key })).body
      assert.deepInclude(read, { group_id: group.id, provider_group_id })
      assert.strictEqual(read.payload.group_id, provider_group_id)
      const windows = yield* sql`select customer_key from service_windows where environment_id = ${project.sandbox.id}`
      assert.deepStrictEqual(windows, [{ customer_key: group.id }])
      assert.deepStrictEqual((yield* api.get("/v1/contacts", { key })).body.data, [])
      for (const [group_id, expected] of [
        ["grp_01kah7v3m8q6x2r9d4t5w0y1z3", "404 group_not_found group_id"],
        ["Clube", "400 invalid_message_request group_id"]
      ] as const) {
        assert.strictEqual(refusal(yield* simulate({ group_id })).join(" "), expected)
      }
    })
  )
})
