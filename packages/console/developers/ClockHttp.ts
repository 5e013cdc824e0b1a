import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import type { AdvanceSandboxClock, SandboxClockAdvance } from "@carteiro/schema/sandbox/SandboxClock.ts"
import type { SandboxDueThing } from "@carteiro/schema/sandbox/SandboxDueApi.ts"
import { Effect, Layer } from "effect"
import { confirmationPage } from "../kit/Confirmation.ts"
import { chosenEnvironment, environmentName, environmentOf } from "../kit/Environments.ts"
import { field, isConfirmed } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { type Label, say } from "../kit/Language.ts"
import { addressOf } from "../kit/Lists.ts"
import { live, moving } from "../kit/LiveScript.ts"
import { type NumberLink, numberLinker } from "../kit/NumberLinks.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { bar, csrfField, exactMoment, facts, moment, notice, table } from "../kit/Parts.ts"
import { NotHere } from "../kit/Refusals.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"

const address = "/dashboard/sandbox-clock"
/** Due things that the page shows. */
const shownDue = 20

/** The time of a sandbox: what it is, what is due next, and buttons that turn it. */
export const ClockHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { sandboxClock, sandboxDue } = yield* Operations
    const dueTableOf = yield* makeDueTable

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const chosen = yield* chosenEnvironment(visit)
      const { environment } = chosen
      const head = { title: "Sandbox clock", section: "clock", environment: environment?.id } as const
      if (environment?.kind !== "sandbox") {
        return { ...head, body: html`<p class="empty">Production has real time only.</p>` }
      }
      const caller = asVisitor(visit, environment)
      const [clock, { data: due }] = yield* Effect.all([sandboxClock.get(caller), sandboxDue.list(caller)], {
        concurrency: 2
      })
      const advance =
        clock.advance_id === null
          ? undefined
          : yield* sandboxClock.getAdvance(caller, { params: { advance_id: clock.advance_id } })
      return {
        ...head,
        again: advance === undefined ? undefined : 1,
        body: html`<div id="clock"${live}>${advance && progressOf(advance)}
<div class="pairs">${facts([
          ["Time of this sandbox", exactMoment(clock.now)],
          ["Real time", exactMoment(clock.real_now)],
          ["Ahead by", durationText(clock.lead_seconds * 1_000)],
          ["The clock", clock.frozen ? say("stands still") : say("goes on")]
        ])}</div>
${visit.mayChange && advance === undefined && buttons(visit.csrf, environment.id, clock.frozen, due.length > 0)}
<section aria-labelledby="due"><h2 id="due">Due next</h2>
${yield* dueTableOf(visit, environment, due, clock.now)}</section>
${visit.mayChange && advance === undefined && emptying(environment.id)}</div>
<p class="muted">Times in answers, events and pages of this sandbox are times of its clock. With a key: <code>POST /v1/sandbox/clock/advance</code>.</p>`
      }
    })

    const advance = (visit: Visit, environment: EnvironmentEntry, payload: AdvanceSandboxClock) =>
      sandboxClock.advance(asVisitor(visit, environment), { payload })

    const advanceToNext = Effect.fnUntraced(function* (visit: Visit, environment: EnvironmentEntry) {
      const caller = asVisitor(visit, environment)
      const { now } = yield* sandboxClock.get(caller)
      const [next] = (yield* sandboxDue.list(caller)).data
      if (next === undefined) return
      // An advance goes ahead by a second at least.
      yield* advance(visit, environment, {
        to: formatTimestamp(Math.max(Date.parse(now) + 1_000, Date.parse(next.due_at)))
      })
    })

    const turnBy: Readonly<
      Record<Turn, (visit: Visit, environment: EnvironmentEntry) => Effect.Effect<unknown, ApiError>>
    > = {
      hour: (visit, environment) => advance(visit, environment, { by_seconds: 3_600 }),
      day: (visit, environment) => advance(visit, environment, { by_seconds: 86_400 }),
      next: advanceToNext,
      freeze: (visit, environment) => sandboxClock.freeze(asVisitor(visit, environment)),
      resume: (visit, environment) => sandboxClock.resume(asVisitor(visit, environment))
    }

    /** Says what happens before the clock goes ahead: it never goes back. */
    const ask = Effect.fnUntraced(function* (
      visit: Visit,
      environment: EnvironmentEntry,
      turned: keyof typeof aheadMs,
      form: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const caller = asVisitor(visit, environment)
      const { now } = yield* sandboxClock.get(caller)
      const { data: due } = yield* sandboxDue.list(caller)
      const until =
        Date.parse(now) + (aheadMs[turned] ?? Math.max(1_000, Date.parse(due[0]?.due_at ?? now) - Date.parse(now)))
      const first = due.filter(({ due_at }) => Date.parse(due_at) <= until)
      const back = addressOf(address, { environment: environment.id })
      return confirmationPage({
        title: "Turn the clock ahead?",
        section: "clock",
        environment: environment.id,
        up: [back, "Sandbox clock"],
        action: `${address}/${environment.id}/turn`,
        csrf: visit.csrf,
        explanation: html`<p>The time of ${environmentName(environment)} goes from ${exactMoment(now)} to ${exactMoment(until)}. It does not go back, unless you empty the sandbox.</p>
${
  first.length === 0
    ? html`<p>Nothing is due until then.</p>`
    : html`<p>What is due until then happens:</p>${yield* dueTableOf(visit, environment, first, now)}`
}`,
        typed: form,
        button: "Turn the clock ahead",
        dangerous: false
      })
    })

    const turn = Effect.fnUntraced(function* (
      visit: Visit,
      form: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const turned = turns.find((one) => one === field(form, "turn"))
      if (environment.kind !== "sandbox" || turned === undefined) return yield* new NotHere()
      if (isAhead(turned) && !isConfirmed(form)) return yield* ask(visit, environment, turned, form)
      yield* turnBy[turned](visit, environment)
      return { to: addressOf(address, { environment: environment.id }) }
    })

    return Layer.mergeAll(
      page({ operation: "sandboxClock", path: address, handler: show }),
      action({
        operation: "turnSandboxClock",
        audit: "sandbox.clock_turned",
        keeps: ["turn"],
        path: `${address}/:environment/turn`,
        handler: turn
      })
    )
  })
)

/** Returns what shows the things that wait for time, with numbers by their name. */
const makeDueTable = Effect.map(Operations, (operations) => {
  const linkNumbers = numberLinker(operations)
  return Effect.fnUntraced(function* (
    visit: Visit,
    environment: EnvironmentEntry,
    due: ReadonlyArray<SandboxDueThing>,
    now: string
  ) {
    return dueTable(due.slice(0, shownDue), now, environment, yield* linkNumbers(visit, environment))
  })
})

/** How far an advance has come, as a bar and in words; its page looks again while it, or a reset, goes on. */
const progressOf = ({ from, kind, reached, steps, to }: Pick<SandboxClockAdvance, AdvanceShown>): Html =>
  html`<div${moving()}>${notice(
    "info",
    kind === "reset"
      ? html`<p>This sandbox is being emptied. Its clock is back at real time.</p>`
      : html`<p>The clock goes ahead to ${moment(to)}. It has reached ${moment(reached)}, ${steps} steps.</p>
${bar({ value: Date.parse(reached) - Date.parse(from), most: Date.parse(to) - Date.parse(from), name: say("Progress of the clock") })}`
  )}</div>`

type AdvanceShown = "from" | "kind" | "reached" | "steps" | "to"

/** What waits for time, the soonest first. */
const dueTable = (
  due: ReadonlyArray<SandboxDueThing>,
  now: string,
  environment: EnvironmentEntry,
  numberLink: NumberLink
): Html =>
  table(
    "Due next",
    ["What", "When", "In"],
    due.map(({ due_at, owner_type, subject_id }) => [
      html`${say(kinds[owner_type] ?? html`${owner_type}`)} ${subject_id === environment.id ? environment.project_name : numberLink(subject_id)}`,
      moment(due_at),
      durationText(Date.parse(due_at) - Date.parse(now))
    ]),
    say("Nothing waits for time in this sandbox.")
  )

/** How far a turn goes ahead; undefined for the next thing that is due. */
const aheadMs = { hour: 3_600_000, day: 86_400_000, next: undefined } as const

const isAhead = (turn: Turn): turn is keyof typeof aheadMs => turn in aheadMs

const turns = ["hour", "day", "next", "freeze", "resume"] as const
type Turn = (typeof turns)[number]

/** Returns the due work of an owner type in words. */
const kinds: Readonly<Record<string, Label>> = {
  PhoneNumber: "Messages of",
  WebhookEndpoint: "Deliveries to",
  EnvironmentTemplates: "Template reviews of",
  Batch: "Batch",
  BillingAccount: "Subscription, charges or month of",
  SandboxPayments: "Payments of",
  AgenticWorker: "Agentic payments of",
  PhoneGroups: "Groups of",
  PhoneOrder: "Number order",
  NumberLifecycle: "State of number",
  FlowPublisher: "Flows of",
  Media: "Files of"
}

const buttons = (csrf: string, environment: string, frozen: boolean, hasDue: boolean): Html => {
  const button = (turn: Turn, text: Label) => html`<button name="turn" value="${turn}">${say(text)}</button>`
  return html`<form method="post" action="${address}/${environment}/turn">${csrfField(csrf)}<div class="buttons">
${button("hour", "+1 hour")}${button("day", "+24 hours")}${frozen ? button("resume", "Let time go on") : button("freeze", "Stop the clock")}
${hasDue && button("next", "To the next due thing")}</div></form>`
}

/** The way to the form that empties the sandbox. */
const emptying = (environment: string): Html =>
  html`<section class="card" aria-labelledby="emptying"><h2 id="emptying">An empty sandbox</h2>
<p>Deletes what this sandbox holds, and takes its clock back to real time. Keys and templates stay.</p>
<p class="buttons"><a class="button danger" href="${address}/${environment}/reset">Empty this sandbox</a></p></section>`

/** Returns a span as people say it: `27 h 3 min`; `0 s` for none. */
const durationText = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  const parts = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3_600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"]
  ] as const
  const first = parts.findIndex(([count]) => count > 0)
  if (first < 0) return "0 s"
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(" ")
}
