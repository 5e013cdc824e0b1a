import { timeIn } from "@carteiro/owners/TenantTime.ts"
import { parseBrl } from "@carteiro/schema/conventions/Money.ts"
import { dayMs, formatTimestamp, parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { Effect, Layer } from "effect"
import { chosenEnvironment } from "../kit/Environments.ts"
import { queryParameter } from "../kit/Forms.ts"
import { html, type Piece } from "../kit/Html.ts"
import { contractWord, type Saying, say } from "../kit/Language.ts"
import { live, moving } from "../kit/LiveScript.ts"
import { countOf } from "../kit/Numbers.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { page, type Visit } from "../kit/Pages.ts"
import { badge, none, notice, personText, table } from "../kit/Parts.ts"
import { bucketsOf, queryWithBefore, spanNamed } from "../kit/Spans.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { activity, troubledNumbers } from "./ActivityParts.ts"
import { attentionList, makeAttention } from "./Attention.ts"
import { checklistOf, makeChecklist } from "./Checklist.ts"

/** Numbers that are looked at for trouble; their page has the rest. */
const looked = 100
/** Figures are counted every ten seconds: they include a first message that is older than this. */
const countedWithinMs = 60_000
/** Seconds between two looks at figures that wait for their first message. */
const again = 5
/** Days whose spend tells how long the balance lasts. */
const paceDays = 7

/** Shows the tasks that wait for a person, and the organization's projects and environments. */
export const OverviewHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { activity: activities, billing, members, messages, phoneNumbers } = yield* Operations
    const findTasks = yield* makeAttention
    const findChecklist = yield* makeChecklist

    /** Returns what happened in an environment in the span that the address names. */
    const findActivity = Effect.fnUntraced(function* (visit: Visit, environment: EnvironmentEntry) {
      const { id, kind } = environment
      const now = yield* timeIn(id, visit.now)
      const span = spanNamed(queryParameter(visit.request, "span"))
      const happened = yield* activities.ofEnvironment(asVisitor(visit, environment), {
        query: queryWithBefore(span, now)
      })
      const shown = { environment: id, span, buckets: bucketsOf(span, visit.zone, now, happened), now }
      const isQuiet = happened.series.every(({ hours }) => hours.length === 0)
      const [newest] = isQuiet
        ? (yield* messages.list(asVisitor(visit, environment), { query: { limit: "1" } })).data
        : []
      const isCounting = newest !== undefined && now - (parseTimestamp(newest.created_at) ?? 0) < countedWithinMs
      if (kind === "sandbox")
        return { isQuiet, isCounting, charts: activity({ ...shown, balance: undefined, pace: 0 }) }
      const balance = yield* billing.balance(asVisitor(visit)).pipe(
        Effect.map(({ balance_brl }) => signedUnits(balance_brl)),
        Effect.catchTag("organization_not_found", () => Effect.succeed(0))
      )
      const query = { from: formatTimestamp(visit.now - paceDays * dayMs) }
      const { amount_brl: spent } = yield* activities.spend(asVisitor(visit), { query })
      return { isQuiet, isCounting, charts: activity({ ...shown, balance, pace: (parseBrl(spent) ?? 0) / paceDays }) }
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
        const production = active.find(
          ({ kind, project_id }) => kind === "production" && project_id === sandbox?.project_id
        )
        const checklist =
          sandbox === undefined || production === undefined
            ? undefined
            : yield* findChecklist(visit, sandbox, production)
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
          again: happened?.isCounting === true ? again : undefined,
          body: html`${attentionList(tasks)}${troubled}${checklist && checklistOf(checklist)}${keys === 0 && start}${happened && (checklist?.isNew !== true || !happened.isQuiet) && html`<div id="happened"${live}${happened.isCounting && moving(again)}>${happened.isCounting && notice("info", say("Your first message is being counted. Its figures stand here within seconds."))}${happened.charts}</div>`}
<section aria-labelledby="projects"><h2 id="projects">Active projects</h2>
<ul class="about">
${counted("/dashboard/projects", projects.length, ["active project", "active projects"])}
${counted("/dashboard/api-keys", keys, ["active API key", "active API keys"])}
${counted(
  "/dashboard/webhooks",
  sum((entry) => entry.webhook_endpoints),
  ["webhook endpoint", "webhook endpoints"]
)}
${counted("/dashboard/members", people.filter((member) => member.active).length, ["member", "members"])}
</ul>
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

const counted = (address: string, count: number, [one, many]: Counted) =>
  html`<li><a href="${address}">${countOf(count)} ${say(count === 1 ? one : many)}</a></li>`

/** The name of one thing, and of any other number of them. */
type Counted = readonly [one: Saying, many: Saying]

/** Shows the contents of an environment, and its endpoints that are switched off. */
const holding = (entry: EnvironmentEntry | undefined): Piece => {
  if (entry === undefined) return none("none")
  const linked = (address: string, count: number, [one, many]: Counted) =>
    html`<a href="${address}?environment=${entry.id}">${countOf(count)} ${say(count === 1 ? one : many)}<span class="hidden"> in ${contractWord(entry.kind)} of ${entry.project_name}</span></a>`
  return html`<span class="row">${linked("/dashboard/api-keys", entry.active_api_keys, ["active API key", "active API keys"])}
${linked("/dashboard/webhooks", entry.webhook_endpoints, ["webhook endpoint", "webhook endpoints"])}
${entry.capabilities_off.map((family) => badge(html`${contractWord(family)} off`, "warn"))}</span>`
}

const start = html`<div class="card"><h2>Your first call</h2>
<ol>
<li><a href="/dashboard/api-keys#create">Create an API key</a> for the sandbox. It costs nothing and reaches no real phone.</li>
<li>Send it as <code>Authorization: Bearer svc_sbx_…</code> to <code>GET /v1/me</code>.</li>
<li>Read on in the <a href="/docs">documentation</a>.</li>
</ol></div>`
