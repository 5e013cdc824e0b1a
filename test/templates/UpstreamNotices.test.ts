import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "../support/Until.ts"
import { told, UpstreamProduct, upstreamStage } from "../support/Upstream.ts"
import { upstreamCase } from "../support/UpstreamCase.ts"
import { draft } from "./TemplateStage.ts"

let made = 0

/** A template that the platform approved, and the platform's notices about it. */
const approvedTemplate = Effect.gen(function* () {
  const stage = yield* upstreamStage
  const { api, key, sql, tell } = stage
  const name = `noticed_${++made}`
  const { body } = yield* api.post("/v1/templates", { ...draft, name }, { key })
  const id: string = body.id
  const read = Effect.map(api.get(`/v1/templates/${id}`, { key }), (answer) => answer.body)
  yield* api.post(`/v1/templates/${id}/submit`, undefined, { key })
  yield* until(Effect.map(read, ({ status }) => status === "approved"))
  const { provider_template_id } = yield* read
  /** Posts a notice about the template and waits until it was handled. */
  const notice = Effect.fnUntraced(function* (field: string, value: object) {
    const about = {
      message_template_id: Number(provider_template_id),
      message_template_name: name,
      message_template_language: "pt-BR",
      ...value
    }
    assert.strictEqual((yield* tell(told(about, field))).status, 200)
    yield* until(
      Effect.map(sql`select 1 from vendor_webhook_work where due_at is not null`, (rows) => rows.length === 0)
    )
    return yield* read
  })
  const events = Effect.map(
    Effect.orDie(
      sql<{
        type: string
        envelope: string
      }>`select type, envelope from outbox_events where source_id = ${id} order by id`
    ),
    (rows) => rows.map(({ envelope, type }) => ({ type, data: JSON.parse(envelope).data }))
  )
  return { ...stage, id, name, provider_template_id, read, notice, events }
})

/** Words of the platform, with the state that each gives an approved template, and its reason there. */
const states = [
  ["IN_APPEAL", "approved", null],
  ["FLAGGED", "approved", null],
  ["PAUSED", "paused", null],
  ["LOCKED", "paused", "LOCKED"],
  ["DISABLED", "disabled", null],
  ["ARCHIVED", "disabled", "ARCHIVED"],
  ["REJECTED", "rejected", "ABUSIVE_CONTENT"],
  ["LIMIT_EXCEEDED", "rejected", "LIMIT_EXCEEDED"],
  ["PENDING_DELETION", "orphaned", null],
  ["DELETED", "orphaned", null]
] as const

it.layer(UpstreamProduct(), { excludeTestServices: true })("Notices about a template", (it) => {
  it.effect("approve a disabled one again once the platform reinstates it U-TPL-07", () =>
    Effect.gen(function* () {
      const { events, notice } = yield* approvedTemplate
      const [disabled, reinstated] = upstreamCase("template-reinstated").changes
      assert.deepInclude(yield* notice(...(disabled as [string, object])), { status: "disabled" })
      assert.deepInclude(yield* notice(...(reinstated as [string, object])), {
        status: "approved",
        rejection_reason: null
      })
      assert.deepStrictEqual(
        (yield* events).map(({ type }) => type),
        ["template.approved", "template.disabled", "template.approved"]
      )
    })
  )

  for (const [event, status, reason] of states) {
    it.effect(`make an approved one ${status}: ${event} U-TPL-07`, () =>
      Effect.gen(function* () {
        const { notice } = yield* approvedTemplate
        const value = { event, reason: event === "REJECTED" ? "ABUSIVE_CONTENT" : "NONE" }
        assert.deepInclude(yield* notice("message_template_status_update", value), { status, rejection_reason: reason })
      })
    )
  }

  it.effect("move its category, which the next send is guarded and priced by U-TPL-06", () =>
    Effect.gen(function* () {
      const { events, hear, id, name, notice, reaches, send, sql } = yield* approvedTemplate
      yield* hear()
      const message = { type: "template", template: { name, language: "pt_BR" } }
      const categoryOfSend = Effect.gen(function* () {
        const { body } = yield* send(message)
        // Its statuses would reach the next test, whose environment does not know it.
        yield* reaches(body.id, "read")
        const [row] = yield* sql<{ category: string }>`select template_category as category from messages
          where id = ${body.id}`
        return row?.category
      })
      assert.strictEqual(yield* categoryOfSend, "utility")
      const [change] = upstreamCase("template-category-update").changes as [readonly [string, object]]
      // A day before, the platform announces the change with the present category.
      const announced = { correct_category: "MARKETING", new_category: "UTILITY", previous_category: undefined }
      assert.deepInclude(yield* notice(change[0], announced), { category: "utility" })
      assert.deepInclude(yield* notice(change[0], change[1]), { category: "marketing", status: "approved" })
      yield* notice(change[0], change[1])
      assert.deepStrictEqual((yield* events).slice(1), [
        {
          type: "template.category_updated",
          data: { template_id: id, name, language: "pt_BR", category: "marketing", previous_category: "utility" }
        }
      ])
      assert.strictEqual(yield* categoryOfSend, "marketing")
    })
  )

  it.effect("rate it, and leave the rating where they name none U-TPL-09 M-TPL-09", () =>
    Effect.gen(function* () {
      const { notice } = yield* approvedTemplate
      const field = "message_template_quality_update"
      for (const [word, provider_quality] of [
        ["GREEN", "green"],
        ["YELLOW", "yellow"],
        ["RED", "red"],
        [undefined, "red"],
        ["UNKNOWN", "unknown"]
      ]) {
        const value = { previous_quality_score: "UNKNOWN", new_quality_score: word }
        assert.deepInclude(yield* notice(field, value), { provider_quality, status: "approved" })
      }
    })
  )

  it.effect("name a template by name and language where they have no id, written as either U-TPL-07", () =>
    Effect.gen(function* () {
      const { notice } = yield* approvedTemplate
      const value = { event: "PAUSED", reason: "NONE", message_template_id: undefined }
      assert.deepInclude(yield* notice("message_template_status_update", value), { status: "paused" })
      const again = { ...value, event: "APPROVED", message_template_language: "pt_BR" }
      assert.deepInclude(yield* notice("message_template_status_update", again), { status: "approved" })
    })
  )
})
