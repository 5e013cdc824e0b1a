import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { PaymentsConnections } from "@carteiro/runtime/provider-connections/ProviderConnections.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { http } from "../../packages/outbound/test/Servers.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { setupStage } from "./SetupStage.ts"

/** The operator's own Pix provider 1, on a network that no tenant may reach. */
const operators = "http://127.0.0.1:9/pix"
const product = WholeProduct({ sweeps: false, settings: { CARTEIRO_PIXPROV1_API_BASE_URL: operators } })

const refused = [
  "nowhere",
  "",
  "http://127.0.0.1:8080",
  "https://127.0.0.1",
  "http://pix.example.com",
  "https://user:password@pix.example.com",
  "https://localhost",
  "https://pix.internal",
  "https://10.0.0.1",
  "https://100.64.0.1",
  "https://169.254.169.254",
  "https://224.0.0.1",
  "https://[::1]",
  "https://[::ffff:10.0.0.1]",
  "https://pix.example.com?to=here",
  "https://pix.example.com#here",
  `${operators}/admin`,
  "http://127.0.0.1:9"
]

it.layer(product, { excludeTestServices: true })("The base URL of a tenant's agentic account", (it) => {
  for (const kind of ["sandbox", "production"] as const) {
    it.effect(
      `is refused at ${kind} registration when it may not be dialled, and the refusal says which URL is accepted`,
      () =>
        Effect.gen(function* () {
          const { create, decide, owner, read } = yield* setupStage(kind)
          const { id } = (yield* create("pixprov1.agentic_payments")).body
          const entered = (session: string, agentic_api_base_url: string) =>
            decide(owner, session, "complete", { credentials: { api_key: "k", agentic_api_base_url } })
          for (const url of refused) {
            const { body, status, text } = yield* entered(id, url)
            assert.strictEqual(status, 400, `${url} ${text}`)
            assert.deepStrictEqual(
              [body.error.code, body.error.param],
              ["invalid_setup_session_request", "credentials.agentic_api_base_url"],
              url
            )
            assert.match(body.error.message, /must be an https URL of a public host/)
          }
          assert.strictEqual((yield* read(id)).body.status, "pending")
          // The operator's own address is accepted, wherever it is.
          assert.strictEqual((yield* entered(id, `${operators}/`)).status, 200)
          const other = (yield* create("pixprov1.agentic_payments")).body.id
          const done = yield* entered(other, "https://pix.example.com/api")
          assert.strictEqual(done.status, 200, done.text)
          const connection = yield* (yield* PaymentsConnections).agentic(done.body.environment_id)
          assert.strictEqual(connection?.agentic_api_base_url, "https://pix.example.com/api")
        })
    )
  }

  it.effect(
    "is not dialled when an earlier release stored a private one, and the banks list reveals nothing about that network",
    () =>
      Effect.gen(function* () {
        const { api, environment, key } = yield* setupStage("production")
        const asked: Array<unknown> = []
        const { port } = yield* http((request, response) => {
          asked.push(request.url)
          response.end(
            JSON.stringify({ data: [{ id: "b", name: "inner secret", ispb: "00000001", status: "available" }] })
          )
        })
        const connections = yield* PaymentsConnections
        const now = yield* Clock.currentTimeMillis
        const account = {
          environment_id: environment.id,
          environment: "production",
          provider: "pixprov1",
          channel: "agentic_payments",
          display_name: "Agentic",
          api_key: "k",
          agentic_api_base_url: `http://127.0.0.1:${port}`
        } as const
        const row = connections.insert(account, (yield* Ids).mint("pcn", now), now)
        yield* (yield* Commit).write([row])
        const banks = yield* api.get("/v1/agentic/banks", { key })
        assert.isAtLeast(banks.status, 400, banks.text)
        assert.notInclude(banks.text, "inner")
        assert.notInclude(banks.text, String(port))
        assert.deepStrictEqual(asked, [])
      }).pipe(Effect.scoped)
  )
})
