import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { Effect } from "effect"
import { noticeText } from "../billing/NoticeText.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { type Saying, say } from "../kit/Language.ts"
import { addressOf, positionOf } from "../kit/Lists.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import type { Visit } from "../kit/Pages.ts"
import { moment, notice, personText, type Tone } from "../kit/Parts.ts"
import { monthsAddress } from "../numbers/NumberParts.ts"
import { ordersAddress } from "../phone-orders/OrderParts.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { endpointReader } from "../webhooks/EndpointCalls.ts"
import { endpointAddress, endpointName, isFailing } from "../webhooks/EndpointParts.ts"

/** Something that waits for a person, and the page that mends it. */
interface Task {
  readonly tone: Extract<Tone, "bad" | "warn">
  readonly what: Piece
  readonly remedy: readonly [address: string, text: Saying]
}

/** A key is told of so many milliseconds before it expires, and after. */
const keyToldMs = 7 * dayMs
/** Rows of one kind that are looked at; the page of the kind has the rest. */
const looked = 100
/** Tasks of one kind that are told. */
const told = 3

/**
 * Finds what waits for a person: in the chosen environment endpoints that are disabled or fail, rejected templates and keys
 * that expire; in the organization its credit, unpaid months and orders of numbers. Each read is bounded.
 */
export const makeAttention = Effect.gen(function* () {
  const operations = yield* Operations
  const { mintedKeys, notices, phoneOrderDecisions: orders, statements, templates } = operations
  const endpointsOf = endpointReader(operations)

  const ofMoney = Effect.fnUntraced(function* (visit: Visit) {
    const standing = yield* statements.standing(asVisitor(visit))
    const blocked: Task = {
      tone: "bad",
      what: say("Production is stopped: the credit is used up."),
      remedy: ["/dashboard/billing/top-up", "Add credit"]
    }
    const month: Task = {
      tone: "bad",
      what: say("A month of your numbers is not paid yet."),
      remedy: [monthsAddress, "See the month"]
    }
    const { data: open } = yield* notices.list(asVisitor(visit))
    return [
      ...(standing.is_blocked ? [blocked] : []),
      ...(standing.has_unpaid_month ? [month] : []),
      ...open.map(
        (notice): Task => ({
          tone: "warn",
          what: noticeText(notice),
          remedy: ["/dashboard/billing", "Go to billing"]
        })
      )
    ]
  })

  const ofOrders = Effect.fnUntraced(function* (visit: Visit) {
    const { data: rows } = yield* orders.list(asVisitor(visit), { query: positionOf(undefined, looked) })
    const waiting = rows.filter(({ status }) => status === "awaiting_approval")
    return waiting.map(
      ({ ddd, id }): Task => ({
        tone: "warn",
        what: html`An order of a number with area code ${ddd} waits for your approval.`,
        remedy: [`${ordersAddress}/${id}`, "Decide"]
      })
    )
  })

  const ofEndpoints = Effect.fnUntraced(function* (visit: Visit, environment: EnvironmentEntry) {
    const { id } = environment
    const endpoints = yield* endpointsOf(visit, environment)
    const disabled = endpoints
      .filter(({ disabled_reason, status }) => status === "disabled" && disabled_reason !== "manual")
      .map(
        (endpoint): Task => ({
          tone: "bad",
          what: html`The webhook endpoint ${endpointName(endpoint)} was disabled after failures: it is sent nothing.`,
          remedy: [endpointAddress(id, endpoint.id), "Recover it"]
        })
      )
    const failing = endpoints
      .filter((endpoint) => endpoint.status === "active" && isFailing(endpoint))
      .map(
        (endpoint): Task => ({
          tone: "warn",
          what: html`Deliveries to the webhook endpoint ${endpointName(endpoint)} fail: the last one was not accepted.`,
          remedy: [endpointAddress(id, endpoint.id), "See why"]
        })
      )
    return [...disabled, ...failing]
  })

  const ofTemplates = Effect.fnUntraced(function* (visit: Visit, environment: EnvironmentEntry) {
    const { id } = environment
    const query = { status: "rejected", limit: String(told) } as const
    const { data: rejected } = yield* templates.list(asVisitor(visit, environment), { query })
    return rejected.map(
      (template): Task => ({
        tone: "warn",
        what: html`The template ${template.name} (${template.language}) was rejected.`,
        remedy: [`/dashboard/templates/${id}/${template.id}`, "Read why"]
      })
    )
  })

  const ofKeys = Effect.fnUntraced(function* (visit: Visit, environment: EnvironmentEntry) {
    const { id } = environment
    const { now } = visit
    const { data: all } = yield* mintedKeys.list(asVisitor(visit, environment), { query: { limit: String(looked) } })
    return all.flatMap(({ expires_at, name, status }): ReadonlyArray<Task> => {
      const at = expires_at === null ? undefined : Date.parse(expires_at)
      if (status !== "active" || at === undefined || Math.abs(at - now) > keyToldMs) return []
      const what = html`The API key ${name} ${at > now ? say("expires") : say("expired")} ${moment(at)}.`
      return [{ tone: "warn", what, remedy: [addressOf("/dashboard/api-keys", { environment: id }), "Rotate it"] }]
    })
  })

  return Effect.fnUntraced(function* (visit: Visit, environment: EnvironmentEntry | undefined) {
    const kinds = [
      ofMoney(visit),
      ...(environment === undefined ? [] : [ofEndpoints(visit, environment)]),
      ofOrders(visit),
      ...(environment === undefined ? [] : [ofTemplates(visit, environment), ofKeys(visit, environment)])
    ]
    return (yield* Effect.all(kinds, { concurrency: "unbounded" })).flatMap((tasks) => tasks.slice(0, told))
  })
})

/** Shows what waits for a person, each with its remedy. */
export const attentionList = (tasks: ReadonlyArray<Task>): Html | undefined =>
  tasks.length === 0
    ? undefined
    : html`<section aria-labelledby="wanted"><h2 id="wanted">What needs you</h2>
${tasks.map(({ remedy: [address, text], tone, what }) =>
  notice(tone, html`<p>${personText(what)} <a href="${address}">${say(text)}</a></p>`)
)}</section>`
