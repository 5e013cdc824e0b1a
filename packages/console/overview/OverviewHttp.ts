import { timeIn } from "@carteiro/owners/TenantTime.ts"
import { parseBrl } from "@carteiro/schema/conventions/Money.ts"
import { dayMs, formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { Effect, Layer } from "effect"
import { chosenEnvironment } from "../kit/Environments.ts"
import { queryParameter } from "../kit/Forms.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { contractWord, type Saying, say, sentence } from "../kit/Language.ts"
import { addressOf, positionOf } from "../kit/Lists.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { page, type Visit } from "../kit/Pages.ts"
import { badge, moment, none, notice, personText, type Tone, table } from "../kit/Parts.ts"
import { bucketsOf, queryOf, spanNamed } from "../kit/Spans.ts"
import { monthsAddress } from "../numbers/NumberParts.ts"
import { ordersAddress } from "../phone-orders/OrderParts.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { endpointReader } from "../webhooks/EndpointCalls.ts"
import { endpointAddress, endpointName } from "../webhooks/EndpointParts.ts"
import { activity, troubledNumbers } from "./ActivityParts.ts"

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
/** Days whose spend tells how long the balance lasts. */
const paceDays = 7

/** Tasks of one kind that are told. */
const told = 3

/**
 * Finds what waits for a person: in the chosen environment endpoints that are disabled, rejected templates and keys that
 * expire; in the organization its credit, unpaid months and orders of numbers. Each read is bounded.
 */
const makeAttention = Effect.gen(function* () {
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
        ({ text }): Task => ({ tone: "warn", what: sentence(text), remedy: ["/dashboard/billing", "Go to billing"] })
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
    return endpoints
      .filter(({ disabled_reason, status }) => status === "disabled" && disabled_reason !== "manual")
      .map(
        (endpoint): Task => ({
          tone: "bad",
          what: html`The webhook endpoint ${endpointName(endpoint)} was disabled after failures: it is sent nothing.`,
          remedy: [endpointAddress(id, endpoint.id), "Recover it"]
        })
      )
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
const attentionList = (tasks: ReadonlyArray<Task>): Html | undefined =>
  tasks.length === 0
    ? undefined
    : html`<section aria-labelledby="wanted"><h2 id="wanted">What needs you</h2>
${tasks.map(({ remedy: [address, text], tone, what }) =>
  notice(tone, html`<p>${personText(what)} <a href="${address}">${say(text)}</a></p>`)
)}</section>`

/** Shows the tasks that wait for a person, and the organization's projects and environments. */
export const OverviewHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { activity: activities, billing, members, messages, phoneNumbers } = yield* Operations
    const findTasks = yield* makeAttention

    /** Returns what happened in an environment in the span that the address names. */
    const findActivity = Effect.fnUntraced(function* (visit: Visit, environment: EnvironmentEntry) {
      const { id, kind } = environment
      const now = yield* timeIn(id, visit.now)
      const span = spanNamed(queryParameter(visit.request, "span"))
      const happened = yield* activities.ofEnvironment(asVisitor(visit, environment), { query: queryOf(span, now) })
      const shown = { environment: id, span, buckets: bucketsOf(span, visit.zone, now, happened), now }
      if (kind === "sandbox") return activity({ ...shown, balance: undefined, pace: 0 })
      const balance = yield* billing.balance(asVisitor(visit)).pipe(
        Effect.map(({ balance_brl }) => signedUnits(balance_brl)),
        Effect.catchTag("organization_not_found", () => Effect.succeed(0))
      )
      const query = { from: formatTimestamp(visit.now - paceDays * dayMs) }
      const { amount_brl: spent } = yield* activities.spend(asVisitor(visit), { query })
      return activity({ ...shown, balance, pace: (parseBrl(spent) ?? 0) / paceDays })
    })

    return page({
      operation: "overview",
      path: "/dashboard",
      handler: Effect.fnUntraced(function* (visit) {
        const { all, environment } = yield* chosenEnvironment(visit)
        const tasks = yield* findTasks(visit, environment)
        const { data: people } = yield* members.list(asVisitor(visit))
        const active = all.filter((entry) => !entry.project_archived)
        const projects = active.filter(({ kind }) => kind === "sandbox")
        const sandbox = projects.find(({ project_id }) => project_id === environment?.project_id) ?? projects[0]
        const said =
          sandbox && (yield* messages.list(asVisitor(visit, sandbox), { query: { limit: "1" } })).data.length > 0
        const sum = (of: (entry: EnvironmentEntry) => number) => active.reduce((total, entry) => total + of(entry), 0)
        const happened = environment && (yield* findActivity(visit, environment))
        const numbers =
          environment &&
          (yield* phoneNumbers.list(asVisitor(visit, environment), { query: { limit: String(looked) } })).data
        const troubled = environment && numbers && troubledNumbers(environment.id, numbers)
        const keys = sum((entry) => entry.active_api_keys)
        return {
          title: "Overview",
          section: "overview",
          body: html`${attentionList(tasks)}${sandbox && said === false && firstMessage(sandbox)}${troubled}${happened}<ul class="tiles">
${tile("/dashboard/projects", projects.length, ["active project", "active projects"])}
${tile("/dashboard/api-keys", keys, ["active API key", "active API keys"])}
${tile(
  "/dashboard/webhooks",
  sum((entry) => entry.webhook_endpoints),
  ["webhook endpoint", "webhook endpoints"]
)}
${tile("/dashboard/members", people.filter((member) => member.active).length, ["member", "members"])}
</ul>
${keys === 0 && start}
<section aria-labelledby="projects"><h2 id="projects">Active projects</h2>
${table(
  "Active projects and what their environments hold",
  ["Project", "Sandbox", "Production"],
  projects.map((sandbox) => [
    personText(html`<a href="/dashboard/projects/${sandbox.project_id}">${sandbox.project_name}</a>`),
    holding(sandbox),
    holding(active.find(({ project_id, kind }) => project_id === sandbox.project_id && kind === "production"))
  ]),
  html`There is no active project. <a href="/dashboard/projects">Create or restore one.</a>`
)}</section>`
        }
      })
    })
  })
)

/** Returns an amount that may be below zero in 1/10,000 BRL. */
const signedUnits = (amount: string): number =>
  amount.startsWith("-") ? -(parseBrl(amount.slice(1)) ?? 0) : (parseBrl(amount) ?? 0)

const tile = (address: string, count: number, [one, many]: Counted) =>
  html`<li><a class="tile" href="${address}"><strong>${count}</strong> ${say(count === 1 ? one : many)}</a></li>`

/** The name of one thing, and of any other number of them. */
type Counted = readonly [one: Saying, many: Saying]

/** Shows the contents of an environment, and its endpoints that are switched off. */
const holding = (entry: EnvironmentEntry | undefined): Piece => {
  if (entry === undefined) return none("none")
  const counted = (address: string, count: number, [one, many]: Counted) =>
    html`<a href="${address}?environment=${entry.id}">${count} ${say(count === 1 ? one : many)}<span class="hidden"> in ${contractWord(entry.kind)} of ${entry.project_name}</span></a>`
  return html`<span class="row">${counted("/dashboard/api-keys", entry.active_api_keys, ["active API key", "active API keys"])}
${counted("/dashboard/webhooks", entry.webhook_endpoints, ["webhook endpoint", "webhook endpoints"])}
${entry.capabilities_off.map((family) => badge(html`${contractWord(family)} off`, "warn"))}</span>`
}

const firstMessage = ({ id, project_name }: EnvironmentEntry) =>
  html`<section class="card" aria-labelledby="first"><h2 id="first">Your first message</h2>
<p>Nothing was said yet in the sandbox of ${project_name}. Write as a customer, answer as the business, and watch the ticks, events and webhooks as they happen.</p>
<p><a class="button primary" href="/dashboard/chat?environment=${id}">Open the chat</a></p></section>`

const start = html`<div class="card"><h2>Your first call</h2>
<ol>
<li><a href="/dashboard/api-keys#create">Create an API key</a> for the sandbox. It costs nothing and reaches no real phone.</li>
<li>Send it as <code>Authorization: Bearer svc_sbx_…</code> to <code>GET /v1/me</code>.</li>
<li>Read on in the <a href="/docs">documentation</a>.</li>
</ol></div>`
