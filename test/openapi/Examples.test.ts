import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { codesFor, description, operations, pathOf, responseOf } from "../contract/Described.ts"
import { violations } from "../contract/JsonSchema.ts"
import { seedThings } from "../contract/Stage.ts"
import { Api } from "../support/ApiTest.ts"
import { seedProject } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

/** What examples are answered that name something only their reader has, or something that is there; others are accepted. */
const refused: Readonly<Record<string, readonly [status: number, code: string]>> = {
  "messages.send": [404, "phone_number_not_found"],
  "batches.create": [404, "phone_number_not_found"],
  "templates.create": [409, "template_name_taken"],
  "sandbox.simulateInbound": [404, "phone_number_not_found"],
  "sandbox.clock.reset": [400, "invalid_sandbox_request"],
  "deviceAuthorizations.token": [400, "invalid_device_code"],
  "providerConnections.rotateToken": [409, "provider_connection_not_rotatable"],
  "providerConnections.numprov.register": [409, "numprov_connection_already_exists"],
  "providerConnections.setupSessions.complete": [403, "insufficient_scope"],
  "providerConnections.signupSessions.complete": [401, "invalid_upstream_signup_session_token"],
  "phoneNumbers.importNumprov": [403, "numprov_byok_subscription_required"],
  "phoneNumbers.release": [409, "phone_number_not_removable"],
  "phoneNumbers.transfer": [400, "phone_number_confirmation_mismatch"],
  "groups.eligibility.check": [404, "phone_number_not_found"],
  "groups.create": [404, "phone_number_not_found"],
  "sandbox.groups.addParticipant": [409, "group_not_active"],
  "payments.requestApproval": [409, "payment_link_not_ready"],
  "payments.cancel": [409, "payment_link_not_ready"],
  "agentic.payments.create": [404, "agentic_authorization_not_found"],
  "billing.plan.change": [404, "subscription_not_found"],
  "webhooks.listenSessions.create": [400, "webhook_listen_session_production_only"]
}

const withBody = operations.flatMap((one) => {
  const content = one.requestBody?.content?.["application/json"]
  return content === undefined ? [] : [{ ...one, schema: content.schema, example: content.example }]
})

const exampleOf = (operationId: string) =>
  withBody.find((one) => one.operationId === operationId)?.example as Readonly<Record<string, unknown>>

it.layer(WholeProduct(), { excludeTestServices: true })("Example bodies", (it) => {
  it.effect.each(withBody.map(({ operationId }) => operationId))(
    "%s has an example that a fresh sandbox accepts, or answers as described A-VER-02",
    (operationId) =>
      Effect.gen(function* () {
        const { acme, call } = yield* Api
        const { sandbox } = yield* seedProject(acme.organization_id, `example-${operationId}`)
        const things = yield* seedThings(sandbox)
        const one = withBody.find((each) => each.operationId === operationId)
        if (one === undefined) return assert.fail(operationId)
        assert.deepStrictEqual(violations(one.example, one.schema, description.components.schemas), [])
        const path = pathOf(one.path, things)
        const answer = yield* call(one.method, path, one.example, { key: sandbox.key, idempotencyKey: "example" })
        const [status, code] = refused[operationId] ?? []
        assert.strictEqual(answer.body.error?.code, code, answer.text)
        if (status === undefined) assert.property(responseOf(one, answer.status), "content", answer.text)
        else assert.deepStrictEqual([answer.status, codesFor(one, status).includes(code ?? "")], [status, true])
      })
  )

  it.effect("the examples of a conversation are accepted for a number of the sandbox M-SBX-04 M-MSG-15", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { sandbox } = yield* seedProject(acme.organization_id, "conversation")
      const { phone_number_id } = yield* seedThings(sandbox)
      const heard = { ...exampleOf("sandbox.simulateInbound"), to: phone_number_id }
      assert.strictEqual((yield* post("/v1/sandbox/inbound-messages", heard, { key: sandbox.key })).status, 202)
      const message = {
        ...exampleOf("messages.send"),
        sender: { type: "chatapp_phone_number", id: phone_number_id }
      }
      assert.strictEqual((yield* post("/v1/messages", message, { key: sandbox.key })).status, 202)
    })
  )

  it.effect("the example of a listen session is accepted in production A-LSS-01", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const body = exampleOf("webhooks.listenSessions.create")
      const answer = yield* post("/v1/webhook-events/listen-sessions", body, { key: acme.production.key })
      assert.strictEqual(answer.status, 201, answer.text)
    })
  )
})
