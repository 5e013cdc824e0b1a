import { ApiCalls } from "@carteiro/openapi/Openapi.ts"
import { Effect, Layer } from "effect"
import { movementTable } from "../billing/BillingParts.ts"
import { html } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import { callBlocks } from "../kit/ListCalls.ts"
import { positionOf } from "../kit/Lists.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { personText } from "../kit/Parts.ts"
import { fold, section } from "../kit/Story.ts"
import { deliveryTable } from "../webhooks/DeliveryParts.ts"
import { endpointReader } from "../webhooks/EndpointCalls.ts"
import { mostDeliveries, Stories } from "./Stories.ts"

/** The column that says what a delivery is about: on the page of one thing, that thing. */
const aboutColumn: ReadonlySet<number> = new Set([1])
/** Requests of a trace that are looked at: the one that made a thing may be followed by reads. */
const lookedRequests = 10
/** Changes of one thing that its page tells, the newest of them. */
const toldChanges = 50

export const storiesLayer = Layer.effect(
  Stories,
  Effect.gen(function* () {
    const calls = yield* ApiCalls
    const operations = yield* Operations
    const { auditLog, deliveryLog, members, requestLogs, statements } = operations
    const endpointsOf = endpointReader(operations)

    return Stories.of({
      request: Effect.fnUntraced(function* (visit, environment, trace_id) {
        const query = { trace_id, limit: String(lookedRequests) }
        const { data } = yield* requestLogs.list(asVisitor(visit, environment), { query })
        const made = data.findLast(({ method }) => method !== "GET") ?? data.at(-1)
        return made === undefined
          ? undefined
          : html`<a href="/dashboard/request-logs/${environment.id}/${made.id}">${made.method} ${made.route}</a>, answered ${made.status}`
      }),
      changes: Effect.fnUntraced(function* (visit, subject) {
        const query = { ...positionOf(undefined, toldChanges), subject }
        const { data: entries } = yield* auditLog.list(asVisitor(visit), { query })
        const people = entries.length === 0 ? [] : (yield* members.list(asVisitor(visit))).data
        return entries.toReversed().map(({ action, after, created_at, member_id }) => {
          const name = people.find(({ id }) => id === member_id)?.name
          const by = name === undefined ? say("An operator") : personText(name)
          return { action, after, created_at, by: html`${by}, in the console.` }
        })
      }),
      deliveries: Effect.fnUntraced(function* (visit, environment, source_id, subject) {
        const about = subject && { subject_type: subject.type, subject_key: subject.key }
        const query = { limit: String(mostDeliveries), ...about }
        const { data: rows } = yield* deliveryLog.about(asVisitor(visit, environment), { params: { source_id }, query })
        const endpoints = yield* endpointsOf(visit, environment)
        return section("deliveries", "Deliveries", deliveryTable(environment.id, rows, endpoints).without(aboutColumn))
      }),
      ledger: (visit, environment, ids) =>
        Effect.map(
          statements.entriesAbout(asVisitor(visit, environment), { query: { ids: ids.join(",") } }),
          ({ data }) =>
            fold(
              "ledger",
              "Ledger entries",
              html`${data.length > 0 && environment.kind === "sandbox" && html`<p class="hint">Simulated: a sandbox costs nothing.</p>`}${movementTable(data, say("It has moved no money."))}`
            )
        ),
      calls: (asked) =>
        html`<section aria-labelledby="calls"><h2 id="calls">With the API</h2>${asked.map(({ title, ...call }) => {
          const found = calls.sample({ ...call, query: {}, body: call.body })
          return found && callBlocks(title, found, call.path)
        })}</section>`
    })
  })
)
