import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Api } from "../support/ApiTest.ts"
import { Cardproc } from "../support/Cardproc.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { seedKey, seedTenant } from "../support/Tenants.ts"
import { buy, cardProduct, saveCard } from "./CardStage.ts"

const at = "/v1/billing/payment-methods"

const refusal = ({ body, status }: { readonly status: number; readonly body: { error: { code: string } } }) => [
  status,
  body.error.code
]

/** Ids of the active cards in the order of the list, and which is the default. */
const listed = Effect.fnUntraced(function* (key: string) {
  const { get } = yield* Api
  const { body } = yield* get(at, { key })
  const cards = body.data as ReadonlyArray<{ readonly id: string; readonly is_default: boolean }>
  return { ids: cards.map(({ id }) => id), standard: cards.filter((card) => card.is_default).map(({ id }) => id) }
})

it.layer(cardProduct, { excludeTestServices: true })("Saved cards", (it) => {
  it.effect(
    "a card is saved with the processor's data, and the first card becomes the default C-CARD-01..03 C-CARD-08",
    () =>
      Effect.gen(function* () {
        const { production } = yield* seedTenant("holder")
        const { get } = yield* Api
        const saved = yield* saveCard(production.key, "pm_card_ok", { set_default: false })
        assert.strictEqual(saved.status, 201)
        const { trace_id, ...shown } = saved.body
        assert.isString(trace_id)
        assert.match(shown.id, /^bpm_/)
        assert.deepStrictEqual(shown, {
          id: shown.id,
          object: "billing_payment_method",
          type: "card",
          brand: "visa",
          last4: "4242",
          exp_month: 12,
          exp_year: 2034,
          is_default: true,
          status: "active",
          created_at: shown.created_at,
          updated_at: shown.updated_at
        })
        const list = yield* get(at, { key: production.key })
        const { trace_id: _, ...page } = list.body
        assert.deepStrictEqual(page, { object: "list", data: [shown], has_more: false, next_cursor: null })
      })
  )

  it.effect(
    "the list shows active cards, the default first, then the newest; at most one is the default C-CARD-04 C-CARD-09 C-CARD-10",
    () =>
      Effect.gen(function* () {
        const { production } = yield* seedTenant("many")
        const { key } = production
        const { post } = yield* Api
        const ids: Array<string> = []
        for (let n = 0; n < 3; n++) {
          ids.push((yield* saveCard(key, `pm_card_ok_${n}`)).body.id)
          yield* turnBy(1000)
        }
        const [first = "", second = "", third = ""] = ids
        assert.deepStrictEqual(yield* listed(key), { ids: [first, third, second], standard: [first] })
        const chosen = yield* post(`${at}/${second}/default`, undefined, { key, idempotencyKey: "choose" })
        assert.deepStrictEqual([chosen.status, chosen.body.is_default], [200, true])
        assert.deepStrictEqual(yield* listed(key), { ids: [second, third, first], standard: [second] })
        const again = yield* post(`${at}/${second}/default`, undefined, { key, idempotencyKey: "choose" })
        assert.deepStrictEqual(again.body, chosen.body)
        const { body: fourth } = yield* saveCard(key, "pm_card_ok_9", { set_default: true })
        assert.deepStrictEqual((yield* listed(key)).standard, [fourth.id])
      })
  )

  it.effect(
    "saving a card again returns its record, and a deleted card becomes active again (gaps-3 E Saved cards)",
    () =>
      Effect.gen(function* () {
        const { production } = yield* seedTenant("again")
        const { key } = production
        const { delete: remove } = yield* Api
        const { body: first } = yield* saveCard(key, "pm_card_ok")
        yield* turnBy(1000)
        const { body: second } = yield* saveCard(key, "pm_card_ok")
        assert.deepStrictEqual([second.id, second.created_at, second.status], [first.id, first.created_at, "active"])
        yield* remove(`${at}/${first.id}`, { key })
        const { body: third } = yield* saveCard(key, "pm_card_ok")
        assert.deepStrictEqual([third.id, third.status, third.is_default], [first.id, "active", true])
        assert.lengthOf((yield* listed(key)).ids, 1)
      })
  )

  it.effect(
    "a deleted card keeps its record, is no default, pays nothing and promotes no other card C-CARD-11 C-CARD-12",
    () =>
      Effect.gen(function* () {
        const { production } = yield* seedTenant("deleter")
        const { key } = production
        const { delete: remove, post } = yield* Api
        const { log } = yield* Cardproc
        const { body: first } = yield* saveCard(key, "pm_card_ok")
        const { body: second } = yield* saveCard(key, "pm_card_ok_2")
        const options = { key, idempotencyKey: "delete" }
        const deleted = yield* remove(`${at}/${first.id}`, options)
        assert.deepStrictEqual([deleted.status, deleted.body.status, deleted.body.is_default], [200, "deleted", false])
        assert.deepStrictEqual((yield* remove(`${at}/${first.id}`, options)).body, deleted.body)
        const detached = log.read(0, "detach").length
        const unchanged = yield* remove(`${at}/${first.id}`, { key })
        assert.deepStrictEqual([unchanged.status, unchanged.body.updated_at], [200, deleted.body.updated_at])
        assert.lengthOf(log.read(0, "detach"), detached)
        assert.deepStrictEqual(yield* listed(key), { ids: [second.id], standard: [] })
        assert.deepStrictEqual(refusal(yield* post(`${at}/${first.id}/default`, undefined, { key })), [
          409,
          "payment_method_not_active"
        ])
        assert.deepStrictEqual(refusal(yield* buy(key)), [402, "payment_method_required"])
      })
  )

  it.effect("an eleventh active card is refused; saving an active card again adds none (gaps-3 E Saved cards)", () =>
    Effect.gen(function* () {
      const { production } = yield* seedTenant("collector")
      const { key } = production
      for (let n = 0; n < 10; n++) assert.strictEqual((yield* saveCard(key, `pm_card_ok_${n}`)).status, 201)
      assert.deepStrictEqual(refusal(yield* saveCard(key, "pm_card_ok_10")), [409, "payment_method_limit_reached"])
      assert.strictEqual((yield* saveCard(key, "pm_card_ok_3")).status, 201)
      assert.lengthOf((yield* listed(key)).ids, 10)
    })
  )

  it.effect("a setup intent charges nothing and is never stored; its secret is shown once C-CARD-05..07", () =>
    Effect.gen(function* () {
      const { organization_id, production } = yield* seedTenant("collecting")
      const { key } = production
      const { post } = yield* Api
      const { charges, log } = yield* Cardproc
      const before = charges.list.length
      const first = yield* post(`${at}/setup-intent`, undefined, { key, idempotencyKey: "setup" })
      assert.strictEqual(first.status, 201)
      const { id } = first.body
      assert.deepInclude(first.body, {
        object: "billing_payment_method_setup_intent",
        cardproc_setup_intent_id: id,
        cardproc_customer_id: `cus_${organization_id}`
      })
      assert.isString(first.body.cardproc_client_secret)
      const second = yield* post(`${at}/setup-intent`, undefined, { key, idempotencyKey: "setup" })
      assert.notStrictEqual(second.body.id, id)
      assert.isUndefined(second.headers["svc-idempotent-replayed"])
      assert.strictEqual(charges.list.length, before)
      const made = log.read(0, "customer").filter(({ external_id }) => external_id === organization_id)
      assert.lengthOf(made, 1)
    })
  )

  it.effect("refuses cards that were not collected, with the code of each (gaps-3 E Saved cards)", () =>
    Effect.gen(function* () {
      const { production } = yield* seedTenant("uncollected")
      const { key } = production
      const { faults } = yield* Cardproc
      const { delete: remove, post } = yield* Api
      assert.deepStrictEqual(refusal(yield* saveCard(key, "pm_card_unfinished")), [402, "card_declined"])
      for (const [body, param] of [
        [{ cardproc_payment_method_id: "pm_nobodys" }, "cardproc_payment_method_id"],
        [{ cardproc_payment_method_id: "sbpm_ok" }, "cardproc_payment_method_id"],
        [{ cardproc_payment_method_id: "" }, "cardproc_payment_method_id"],
        // Neither half a character nor a control character is sent to the card processor.
        [{ cardproc_payment_method_id: "pm_\ud800" }, "cardproc_payment_method_id"],
        [{ cardproc_payment_method_id: "pm_\u0000" }, "cardproc_payment_method_id"],
        [{}, "cardproc_payment_method_id"],
        [{ cardproc_payment_method_id: "pm_card_ok", set_default: "yes" }, "set_default"],
        [{ cardproc_payment_method_id: "pm_card_ok", default: true }, "default"]
      ] as const) {
        const refused = yield* post(at, body, { key })
        assert.deepStrictEqual([...refusal(refused), refused.body.error.param], [400, "invalid_billing_request", param])
      }
      for (const id of ["bpm_0", "nonsense"]) {
        assert.deepStrictEqual(refusal(yield* remove(`${at}/${id}`, { key })), [404, "payment_method_not_found"])
        assert.deepStrictEqual(refusal(yield* post(`${at}/${id}/default`, undefined, { key })), [
          404,
          "payment_method_not_found"
        ])
      }
      for (const [name, operation] of [
        ["error_500", "card"],
        ["credentials_invalid", "customer"],
        ["reset", "attach"]
      ] as const) {
        faults.set([{ name, operation, times: 1 }], 1)
        assert.deepStrictEqual(refusal(yield* saveCard(key, "pm_card_ok")), [502, "provider_error"], operation)
      }
      faults.set([{ name: "card_declined", operation: "attach", times: 1 }], 1)
      assert.deepStrictEqual(refusal(yield* saveCard(key, "pm_card_ok")), [402, "card_declined"])
      const { body } = yield* saveCard(key, "pm_card_ok")
      faults.set([{ name: "error_500", operation: "detach", times: 1 }], 1)
      assert.deepStrictEqual(refusal(yield* remove(`${at}/${body.id}`, { key })), [502, "provider_error"])
      assert.strictEqual((yield* remove(`${at}/${body.id}`, { key })).status, 200)
    })
  )

  it.effect(
    "cards need their scopes, and belong to the organization or to one sandbox (gaps-3 A Who owns billing state)",
    () =>
      Effect.gen(function* () {
        const { production, sandbox, sibling } = yield* seedTenant("scoped")
        const { get, post } = yield* Api
        const { key: reader } = yield* seedKey(production, { scopes: ["billing:read"] })
        const { key: writer } = yield* seedKey(production, { scopes: ["billing:write"] })
        assert.deepStrictEqual(refusal(yield* saveCard(reader, "pm_card_ok")), [403, "insufficient_scope"])
        assert.deepStrictEqual(refusal(yield* post(`${at}/setup-intent`, undefined, { key: reader })), [
          403,
          "insufficient_scope"
        ])
        assert.deepStrictEqual(refusal(yield* get(at, { key: writer })), [403, "insufficient_scope"])
        const { body } = yield* saveCard(production.key, "pm_card_ok")
        assert.deepStrictEqual((yield* listed(sibling.production.key)).ids, [body.id])
        assert.deepStrictEqual((yield* listed(sandbox.key)).ids, [])
        const { body: own } = yield* saveCard(sandbox.key, "sbpm_ok")
        assert.deepStrictEqual((yield* listed(sandbox.key)).ids, [own.id])
        assert.deepStrictEqual((yield* listed(sibling.sandbox.key)).ids, [])
        const setup = yield* post(`${at}/setup-intent`, undefined, { key: sandbox.key })
        assert.strictEqual(setup.status, 201)
        const unknown = yield* get(`${at}?limit=1`, { key: reader })
        assert.deepStrictEqual([...refusal(unknown), unknown.body.error.param], [400, "invalid_billing_query", "limit"])
      })
  )
})
