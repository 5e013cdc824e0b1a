import { SpeechCredentials } from "@carteiro/runtime/media/Media.ts"
import { PaymentsConnections } from "@carteiro/runtime/provider-connections/ProviderConnections.ts"
import { SetupTarget } from "@carteiro/schema/provider-connections/SetupSession.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { seedMember, signedIn, textOf } from "../console/Visitor.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { path, setupStage as stage } from "./SetupStage.ts"

const minute = 60_000

const completion = [
  "completed_at",
  "completed_by_role",
  "completed_stt_provider",
  "provider_connection_id",
  "denied_at"
]

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Credential setup sessions", (it) => {
  it.effect(
    "are made for every target, with an address that only the response to their creation shows M-SETUP-01 M-SETUP-03 M-SETUP-04",
    () =>
      Effect.gen(function* () {
        const { create, environment, read } = yield* stage()
        for (const target of SetupTarget.literals.filter((one) => one !== "speechprov1.stt")) {
          const made = yield* create(target, `make ${target}`)
          assert.strictEqual(made.status, 201, made.text)
          const { trace_id: _, ...session } = made.body
          assert.deepStrictEqual(session, {
            id: session.id,
            object: "provider_credential_setup_session",
            target,
            status: "pending",
            url: `http://127.0.0.1:8080/dashboard/setup/${session.id}`,
            project_id: environment.project_id,
            environment_id: environment.id,
            environment: "sandbox",
            provider_connection_id: null,
            completed_stt_provider: null,
            completed_by_role: null,
            completed_at: null,
            denied_at: null,
            expires_at: "2026-01-01T00:30:00.000Z",
            created_at: "2026-01-01T00:00:00.000Z",
            updated_at: "2026-01-01T00:00:00.000Z"
          })
          assert.strictEqual((yield* create(target, `make ${target}`)).text, made.text)
          const polled = (yield* read(session.id)).body
          assert.deepStrictEqual([polled.url, polled.status], [null, "pending"])
        }
        for (const [body, param] of [
          [{}, "target"],
          [{ target: "speechprov2.stt" }, "target"]
        ] as const) {
          const { api, key } = yield* stage()
          const refused = yield* api.post(path, body, { key })
          const { code, param: named } = refused.body.error
          assert.deepStrictEqual([refused.status, code, named], [400, "invalid_setup_session_request", param])
        }
        const stt = yield* create("speechprov1.stt")
        const { code, param } = stt.body.error
        assert.deepStrictEqual(
          [stt.status, code, param],
          [400, "provider_credential_setup_stt_sandbox_unsupported", "target"]
        )
      })
  )

  it.effect("are refused while the installation cannot handle them M-SETUP-06 M-SETUP-07", () =>
    Effect.gen(function* () {
      const { create } = yield* stage("production")
      for (let n = 0; n < 2; n++) {
        const refused = yield* create("speechprov1.stt", "the same request and key")
        assert.deepStrictEqual([refused.status, refused.body.error.code], [503, "transcription_byok_runtime_inactive"])
        assert.strictEqual(refused.headers["svc-idempotent-replayed"], undefined)
      }
    })
  )

  it.effect("become connections when an owner enters credentials, and never show them M-SETUP-02 M-SETUP-10", () =>
    Effect.gen(function* () {
      const { create, decide, environment, owner, read } = yield* stage()
      const payments = yield* PaymentsConnections
      const { id } = (yield* create("pixprov2.payments")).body
      for (const [credentials, param] of [
        [{}, "credentials.api_key"],
        [{ api_key: 7 }, "credentials.api_key"],
        [{ api_key: "k", webhook_secret: "" }, "credentials.webhook_secret"]
      ] as const) {
        const refused = yield* decide(owner, id, "complete", { credentials })
        const { code, param: named } = refused.body.error
        assert.deepStrictEqual([refused.status, code, named], [400, "invalid_setup_session_request", param])
        assert.strictEqual((yield* read(id)).body.status, "pending")
      }
      const done = yield* decide(owner, id, "complete", {
        credentials: { api_key: "key-of-the-merchant", webhook_secret: "whsec-of-the-merchant", merchant_name: "Loja" }
      })
      assert.deepStrictEqual([done.status, done.body.status, done.body.completed_by_role], [200, "completed", "owner"])
      assert.notInclude(done.text, "of-the-merchant")
      const selected = yield* payments.selected(environment.id)
      assert.strictEqual(selected?.id, done.body.provider_connection_id)
      assert.strictEqual(selected?.credential && Redacted.value(selected.credential), "key-of-the-merchant")
      for (const decision of ["complete", "deny"] as const) {
        const again = yield* decide(owner, id, decision, decision === "deny" ? {} : { credentials: {} })
        const code = "provider_credential_setup_session_already_completed"
        assert.deepStrictEqual([again.status, again.body.error.code], [409, code])
      }
      // Credentials that are entered again replace the present ones.
      const second = (yield* create("pixprov2.payments")).body
      const renewed = yield* decide(owner, second.id, "complete", { credentials: { api_key: "another-key" } })
      assert.strictEqual(renewed.body.provider_connection_id, selected?.id)
    })
  )

  it.effect(
    "register upstream accounts as the route does, and stay pending while the token is refused M-SETUP-02",
    () =>
      Effect.gen(function* () {
        const { api, create, decide, key, owner, read } = yield* stage()
        const { id } = (yield* create("upstream.chatapp")).body
        const account = { display_name: "Loja", biz_account_id: "1", phone_number_id: "2" }
        for (const [credentials, code, param] of [
          [{ display_name: "Loja", access_token: "t" }, "invalid_setup_session_request", "credentials.biz_account_id"],
          [{ ...account, access_token: "foreign_x" }, "upstream_token_foreign_app", "credentials.access_token"],
          [{ ...account, access_token: "invalid" }, "chatapp_credentials_invalid", "credentials.access_token"]
        ] as const) {
          const refused = yield* decide(owner, id, "complete", { credentials })
          assert.deepStrictEqual(
            [refused.status, refused.body.error.code, refused.body.error.param],
            [400, code, param]
          )
          assert.strictEqual((yield* read(id)).body.status, "pending")
        }
        const done = yield* decide(owner, id, "complete", { credentials: { ...account, access_token: "good-token" } })
        const connection = yield* api.get(`/v1/provider-connections/${done.body.provider_connection_id}`, { key })
        assert.deepStrictEqual([connection.body.status, connection.body.display_name], ["connected", "Loja"])
      })
  )

  it.effect("store an environment's key of a speech vendor, which makes no connection M-SETUP-05", () =>
    Effect.gen(function* () {
      const { create, decide, environment, owner } = yield* stage()
      const speech = yield* SpeechCredentials
      const { id } = (yield* create("speechprov3.tts")).body
      const done = yield* decide(owner, id, "complete", { credentials: { api_key: "key-of-the-voice" } })
      const { completed_stt_provider, provider_connection_id, status } = done.body
      assert.deepStrictEqual([status, provider_connection_id, completed_stt_provider], ["completed", null, null])
      assert.strictEqual(yield* speech.find(environment.id, "speechprov3"), "key-of-the-voice")
      assert.notInclude(done.text, "key-of-the-voice")
    })
  )

  it.effect("are decided with the cookie that a browser sends to their routes M-SETUP-02 M-SETUP-03", () =>
    Effect.gen(function* () {
      const { create, decide, owner } = yield* stage()
      const { id } = (yield* create("pixprov1.payments")).body
      for (const decision of ["complete", "deny"]) {
        assert.match(owner.cookies.header(`${path}/${id}/${decision}`) ?? "none", /^carteiro_session=/)
      }
      const done = yield* decide(owner, id, "complete", { credentials: { api_key: "key-of-the-merchant" } })
      assert.deepStrictEqual([done.status, done.body.status], [200, "completed"])
    })
  )

  it.effect("take decisions with the session of an owner or admin, and with no key M-SETUP-02 M-SETUP-08", () =>
    Effect.gen(function* () {
      const { api, create, decide, key, owner } = yield* stage()
      const { id } = (yield* create("speechprov1.tts")).body
      const bearer = yield* api.post(`${path}/${id}/complete`, { credentials: { api_key: "k" } }, { key })
      assert.deepStrictEqual([bearer.status, bearer.body.error.code], [403, "insufficient_scope"])
      const nobody = yield* api.post(`${path}/${id}/complete`, {})
      assert.deepStrictEqual([nobody.status, nobody.body.error.code], [401, "authentication_error"])
      const member = yield* signedIn(api.acme, yield* seedMember(api.acme, "member"))
      assert.strictEqual((yield* decide(member, id, "deny", {})).status, 403)
      for (const csrf of ["", "forged"]) assert.strictEqual((yield* decide(owner, id, "deny", {}, csrf)).status, 403)
      const stranger = yield* signedIn(api.other)
      for (const [who, unknown] of [
        [stranger, id],
        [owner, "pcs_01kah7v3m8q6x2r9d4t5w0y1z3"],
        [owner, "nonsense"]
      ] as const) {
        const refused = yield* decide(who, unknown, "complete", {})
        const code = "provider_credential_setup_session_not_found"
        assert.deepStrictEqual([refused.status, refused.body.error.code], [404, code])
      }
      const foreign = yield* api.get(`${path}/${id}`, { key: api.other.sandbox.key })
      assert.strictEqual(foreign.body.error.code, "provider_credential_setup_session_not_found")
      const admin = yield* signedIn(api.acme, yield* seedMember(api.acme, "admin"))
      const done = yield* decide(admin, id, "complete", { credentials: { api_key: "k" } })
      assert.deepStrictEqual([done.status, done.body.completed_by_role], [200, "admin"], done.text)
    })
  )

  it.effect("are denied once, and expire after half an hour M-SETUP-04 M-SETUP-09 M-SETUP-11", () =>
    Effect.gen(function* () {
      const { create, decide, owner, read } = yield* stage()
      const denied = (yield* create("speechprov2.tts")).body.id
      const late = (yield* create("speechprov2.tts")).body.id
      const no = yield* decide(owner, denied, "deny", {})
      assert.deepStrictEqual([no.status, no.body.status], [200, "denied"])
      assert.isString(no.body.denied_at)
      for (const [decision, code] of [
        ["deny", "provider_credential_setup_session_already_denied"],
        ["complete", "provider_credential_setup_session_denied"]
      ] as const) {
        const again = yield* decide(owner, denied, decision, {})
        assert.deepStrictEqual([again.status, again.body.error.code], [409, code])
      }
      yield* turnBy(30 * minute - 1)
      assert.strictEqual((yield* read(late)).body.status, "pending")
      yield* turnBy(1)
      const expired = (yield* read(late)).body
      assert.strictEqual(expired.status, "expired")
      for (const member of completion) assert.isNull(expired[member], member)
      assert.strictEqual((yield* read(denied)).body.status, "denied")
      for (const decision of ["complete", "deny"] as const) {
        const refused = yield* decide(owner, late, decision, {})
        const code = "provider_credential_setup_session_expired"
        assert.deepStrictEqual([refused.status, refused.body.error.code], [409, code])
      }
    })
  )

  it.effect(
    "check the person before they read a body of any size, and accept a large one of an authorised person",
    () =>
      Effect.gen(function* () {
        const { create, decide, owner, read } = yield* stage()
        const large = JSON.stringify({ credentials: { api_key: "k" } }).padEnd(70_000)
        const { id } = (yield* create("speechprov2.tts")).body
        const forged = yield* decide(owner, id, "complete", large, "forged")
        assert.deepStrictEqual([forged.status, forged.body.error.code], [403, "insufficient_scope"])
        assert.strictEqual((yield* read(id)).body.status, "pending")
        assert.strictEqual((yield* decide(owner, id, "complete", large)).status, 200)
        const again = yield* decide(owner, id, "complete", large)
        const code = "provider_credential_setup_session_already_completed"
        assert.deepStrictEqual([again.status, again.body.error.code], [409, code])
      })
  )

  it.effect("refuse a target that the installation has not set up M-SETUP-12", () =>
    Effect.gen(function* () {
      const { create, decide, owner } = yield* stage("production")
      const { id } = (yield* create("pixprov1.payments")).body
      const refused = yield* decide(owner, id, "complete", {})
      const code = "provider_credential_setup_target_not_configured"
      assert.deepStrictEqual([refused.status, refused.body.error.code], [409, code])
    })
  )

  it.effect("have a page of the dashboard that works without scripts M-SETUP-02", () =>
    Effect.gen(function* () {
      const { api, create, owner, read } = yield* stage()
      const made = (yield* create("pixprov1.agentic_payments")).body
      const page = new URL(made.url).pathname
      const shown = yield* owner.get(page)
      assert.strictEqual(shown.status, 200)
      assert.notInclude(shown.text, "<script>")
      for (const part of ["agentic payments by pixprov1", "API key", "Agent id"]) {
        assert.include(textOf(shown.text), part)
      }
      const refused = yield* owner.submit(page, page, { api_key: "typed-secret", agentic_api_base_url: "nowhere" })
      assert.strictEqual(refused.status, 400)
      assert.notInclude(refused.text, "typed-secret")
      const done = yield* owner.submit(page, page, { api_key: "typed-secret", participant_id: "p1", agent_id: "a1" })
      assert.deepStrictEqual([done.status, done.headers.location], [303, page])
      const { body } = yield* read(made.id)
      assert.strictEqual(body.status, "completed")
      assert.include(textOf((yield* owner.get(page)).text), "The credentials were taken.")
      const agentic = yield* (yield* PaymentsConnections).agentic(body.environment_id)
      assert.deepStrictEqual([agentic?.agent_id, agentic?.default_participant_id], ["a1", "p1"])

      const other = (yield* create("speechprov1.tts")).body
      const denial = new URL(other.url).pathname
      assert.strictEqual((yield* owner.submit(denial, `${denial}/deny`)).status, 303)
      assert.strictEqual((yield* read(other.id)).body.status, "denied")
      const stranger = yield* signedIn(api.other)
      assert.strictEqual((yield* stranger.get(page)).status, 404)
    })
  )
})
