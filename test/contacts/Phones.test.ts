import { readFileSync } from "node:fs"
import { join } from "node:path"
import { erasureJob } from "@carteiro/runtime/contacts/erasure/ErasureJob.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { seedTenant } from "../support/Tenants.ts"
import { until } from "../support/Until.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

interface PhoneCases {
  readonly wanted: ReadonlyArray<readonly [written: string, phone: string | null]>
}

const { wanted } = JSON.parse(readFileSync(join(import.meta.dirname, "../cases/phones.json"), "utf8")) as PhoneCases

/** An environment of its own, with the calls that take a phone. */
const stage = Effect.fnUntraced(function* (name: string, region = "BR") {
  const api = yield* Api
  const sql = yield* SqlClient.SqlClient
  const { sandbox } = yield* seedTenant(name)
  yield* sql`update projects set default_region = ${region} where id = ${sandbox.project_id}`
  const { key } = sandbox
  const post = (path: string, body: unknown, options: object = {}) => api.post(`/v1/${path}`, body, { key, ...options })
  const get = (path: string) => api.get(`/v1/${path}`, { key })
  const contactOf = (phone: string) => get(`contacts?phone=${encodeURIComponent(phone)}`)
  return { ...api, sandbox, key, post, get, contactOf }
})

it.layer(WholeProduct({ sweeps: false, settings: { CARTEIRO_REQUEST_LOG: "on" } }), { excludeTestServices: true })(
  "Phones of contacts",
  (it) => {
    it.effect('are read alike by opt-in, opt-out, imports and filters, gaps-2 A "Phones outside `recipient.id`"', () =>
      Effect.gen(function* () {
        const { contactOf, post } = yield* stage("alike")
        for (const [written, phone] of wanted) {
          const rows = [{ phone: "+5511999990001" }, { phone: written }]
          const answers = [
            yield* post("contacts/opt-in", { phone: written }),
            yield* post("contacts/opt-out", { phone: written }),
            yield* post("contacts/bulk-import", { rows }),
            yield* contactOf(written)
          ]
          if (phone !== null) {
            const [optedIn, optedOut, imported, list] = answers.map(({ body }) => body)
            assert.deepStrictEqual([optedIn.phone, optedOut.phone], [phone, phone], written)
            assert.include(
              imported.data.map((one: { readonly phone: string }) => one.phone),
              phone
            )
            assert.deepStrictEqual([list.data.length, list.data[0].phone], [1, phone], written)
            continue
          }
          assert.deepStrictEqual(
            answers.map(({ body, status }) => [status, body.error.code, body.error.param]),
            ["phone", "phone", "rows.1.phone", "phone"].map((param) => [400, "invalid_phone_e164", param]),
            written
          )
        }
      })
    )

    it.effect("an opt-out in national notation stops messages to the very person M-CON-13", () =>
      Effect.gen(function* () {
        const { contactOf, post, sandbox } = yield* stage("national")
        const number = yield* seedNumber(sandbox)
        yield* post("contacts/opt-in", { phone: "+5511987654321" })
        for (const phone of ["11987654321", "(11) 98765-4321", "011987654321", "0055 11 98765-4321", "11 8765-4321"]) {
          yield* post("contacts/opt-in", { phone: "+5511987654321" })
          const { body, status } = yield* post("contacts/opt-out", { phone })
          assert.deepStrictEqual([status, body.phone, body.opt_in_status], [200, "+5511987654321", "opted_out"], phone)
          const sent = yield* post("messages", {
            channel: "chatapp",
            sender: { type: "chatapp_phone_number", id: number.id },
            recipient: { type: "phone_e164", id: "+5511987654321" },
            message: { type: "text", text: { body: "oi" } }
          })
          assert.strictEqual(sent.body.error.code, "contact_opted_out", phone)
        }
        assert.strictEqual((yield* contactOf("11987654321")).body.data.length, 1)
      })
    )

    it.effect("a refusal names the likely number, before the idempotency key is taken", () =>
      Effect.gen(function* () {
        const { post } = yield* stage("likely")
        const options = { idempotencyKey: "corrected" }
        const cases: ReadonlyArray<readonly [string, RegExp]> = [
          ["14155550100", /^The region BR has no such phone number\. Did you mean \+14155550100\?$/],
          ["+11987654321", /Did you mean \+5511987654321\?$/],
          ["5511987654321.0", /ends in \.0.*Did you mean \+5511987654321\?$/],
          ["5.51199E+12", /ends in E\+12.*as text and write it again\.$/],
          ["98765-4321", /area code/],
          ["", /area code/],
          ["9".repeat(70), /area code/]
        ]
        for (const [phone, message] of cases) {
          const { body, status } = yield* post("contacts/opt-out", { phone }, options)
          assert.deepStrictEqual([status, body.error.code, body.error.param], [400, "invalid_phone_e164", "phone"])
          assert.match(body.error.message, message)
        }
        assert.strictEqual((yield* post("contacts/opt-out", { phone: "+14155550100" }, options)).status, 200)
      })
    )

    it.effect("are read in the region of the project, which its reads show", () =>
      Effect.gen(function* () {
        const { get, post, sandbox } = yield* stage("abroad", "US")
        assert.strictEqual((yield* post("contacts/opt-in", { phone: "(415) 555-0100" })).body.phone, "+14155550100")
        const { body } = yield* post("contacts/opt-in", { phone: "(11) 98765-4321" })
        assert.strictEqual(body.error.code, "invalid_phone_e164")
        assert.strictEqual((yield* get(`projects/${sandbox.project_id}`)).body.default_region, "US")
        assert.strictEqual((yield* get("account")).body.project.default_region, "US")
      })
    )

    it.effect("a filter of messages finds what was sent by any spelling", () =>
      Effect.gen(function* () {
        const { get, post, sandbox } = yield* stage("filter")
        const number = yield* seedNumber(sandbox)
        const hear = (from: string) =>
          post("sandbox/inbound-messages", {
            ...{ channel: "chatapp", from, to: number.id, type: "text", text: { body: "oi" } }
          })
        const send = Effect.fnUntraced(function* (id: string) {
          yield* hear(id)
          const { body, status } = yield* post("messages", {
            channel: "chatapp",
            sender: { type: "chatapp_phone_number", id: number.id },
            recipient: { type: "phone_e164", id },
            message: { type: "text", text: { body: "oi" } }
          })
          assert.strictEqual(status, 202)
          return body.id as string
        })
        const brazilian = yield* send("+5511987654321")
        const american = yield* send("+11987654321")
        const found = (recipient: string) =>
          Effect.map(get(`messages?recipient=${encodeURIComponent(recipient)}`), ({ body }) =>
            body.data.map((one: { readonly id: string }) => one.id)
          )
        for (const recipient of ["011 98765-4321", "+55 11 8765-4321", "0055 11 98765-4321"]) {
          assert.deepStrictEqual(yield* found(recipient), [brazilian], recipient)
        }
        assert.deepStrictEqual(yield* found("+1 198 765 4321"), [american])
        // The digits of `recipient.id` are international without + too.
        for (const recipient of ["11987654321", "(11) 98765-4321"]) {
          assert.deepStrictEqual(yield* found(recipient), [american, brazilian], recipient)
        }
        const { body, status } = yield* get("messages?recipient=5.511987654321E%2B12")
        assert.deepStrictEqual(
          [status, body.error.code, body.error.param],
          [400, "invalid_messages_query", "recipient"]
        )
      })
    )

    it.effect('erasure reaches requests that named the customer in national notation, gaps-2 I "Erasure"', () =>
      Effect.gen(function* () {
        const { contactOf, delete: remove, get, key, post } = yield* stage("logged")
        const stranger = { phone: "11976543210", source: "" }
        const of = (recipient: object) => ({
          ...{ channel: "chatapp", sender: { type: "chatapp_phone_number", id: "pn_x" } },
          recipient: { type: "phone_e164", ...recipient },
          message: { type: "text", text: { body: "oi" } }
        })
        yield* post("contacts/opt-in", { phone: "+5511987654321" })
        const requests = [
          // Refused for another field, or for the phone itself.
          yield* post("contacts/opt-in", { phone: "11987654321", source: "" }),
          yield* post("contacts/opt-out", { phone: "(11) 8765-4321", reason: "" }),
          yield* post("contacts/opt-out", { phone: "5511987654321.0" }),
          yield* post("contacts/opt-out", { phone: "5.511987654321E+12" }),
          yield* post("contacts/opt-in", { phone: "Maria (11) 98765-4321" }),
          yield* post("contacts/bulk-import", { rows: [{ phone: "011987654321" }, { phone: "123" }] }),
          yield* post("messages", of({ id: "tel: (11) 98765-4321" })),
          yield* post("messages", of({ country_calling_code: "999", national_number: "(011) 98765-4321" })),
          yield* get("contacts?phone=11987654321.0"),
          yield* get("messages?recipient=Maria+11987654321")
        ]
        const other = yield* post("contacts/opt-in", stranger)
        for (const { body } of requests) assert.isDefined(body.error, JSON.stringify(body))
        const logOf = (answer: (typeof requests)[number]) =>
          Effect.map(get(`request-logs/${answer.headers["svc-request-id"]}`), ({ body, status }) =>
            status === 200 ? body : undefined
          )
        for (const answer of [...requests, other]) {
          yield* turnBy(500)
          yield* turnBy(500)
          yield* until(Effect.map(logOf(answer), (shown) => shown !== undefined))
          assert.strictEqual((yield* logOf(answer)).details, "kept", answer.text)
        }
        const [{ id }] = (yield* contactOf("+5511987654321")).body.data
        assert.strictEqual((yield* remove(`/v1/contacts/${id}`, { key })).status, 200)
        yield* erasureJob.run
        for (const answer of requests) {
          const shown = yield* logOf(answer)
          assert.strictEqual(shown.details, "erased", answer.text)
          // Eight digits in whatever spelling: fewer stand in an id by chance.
          assert.notInclude(JSON.stringify(shown).replace(/\D/g, ""), "87654321")
        }
        assert.strictEqual((yield* logOf(other)).details, "kept")
      })
    )
  }
)
