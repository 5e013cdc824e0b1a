import { Effect } from "effect"
import { type Html, html } from "../kit/Html.ts"
import { icon } from "../kit/Icons.ts"
import { type Saying, say } from "../kit/Language.ts"
import { addressOf } from "../kit/Lists.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import type { Visit } from "../kit/Pages.ts"
import { bar } from "../kit/Parts.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"

/** A step from nothing to sending to customers. */
interface ChecklistStep {
  readonly isDone: boolean
  readonly name: Saying
  /** What it is for, in one sentence. */
  readonly purpose: Saying
  /** The page that does it. */
  readonly way: readonly [address: string, text: Saying]
}

/** How far a project has come. */
export interface Checklist {
  readonly steps: ReadonlyArray<ChecklistStep>
  /** True until a message was said in either environment of the project. */
  readonly isNew: boolean
}

/** Returns what reads how far a project has come, from its sandbox and its production; each read is of one row. */
export const makeChecklist = Effect.gen(function* () {
  const { messages, phoneNumbers, templates } = yield* Operations

  return Effect.fnUntraced(function* (visit: Visit, sandbox: EnvironmentEntry, production: EnvironmentEntry) {
    const [trying, live] = [asVisitor(visit, sandbox), asVisitor(visit, production)]
    const has = ({ data }: { readonly data: ReadonlyArray<unknown> }) => data.length > 0
    const [said, tried, approved, number, sent] = yield* Effect.all(
      [
        Effect.map(messages.list(trying, { query: { limit: "1" } }), has),
        Effect.map(messages.list(trying, { query: { limit: "1", direction: "outbound" } }), has),
        Effect.map(templates.list(live, { query: { limit: "1", status: "approved" } }), has),
        Effect.map(phoneNumbers.list(live, { query: { limit: "1", status: "active" } }), has),
        Effect.map(messages.list(live, { query: { limit: "1" } }), has)
      ],
      { concurrency: "unbounded" }
    )
    const steps: ReadonlyArray<ChecklistStep> = [
      {
        isDone: tried || sent,
        name: "Send your first message",
        purpose:
          "Write as a customer, answer as the business, and watch the ticks, events and webhooks as they happen.",
        way: [addressOf("/dashboard/chat", { environment: sandbox.id }), "Open the chat"]
      },
      {
        isDone: sandbox.webhook_endpoints + production.webhook_endpoints > 0,
        name: "Connect an endpoint",
        purpose: "Your server hears of answers, ticks and payments as they happen.",
        way: [addressOf("/dashboard/webhooks", { environment: sandbox.id }), "Add an endpoint"]
      },
      {
        isDone: approved,
        name: "Get a template approved",
        purpose: "Who has not written to you in 24 hours is reached by a template that the platform has approved.",
        way: [addressOf("/dashboard/templates", { environment: production.id }), "Write a template"]
      },
      {
        isDone: number,
        name: "Get a number",
        purpose: "Connect the number that your customers know, or rent a new one.",
        way: [addressOf("/dashboard/connections", { environment: production.id }), "Connect a number"]
      },
      {
        isDone: sent,
        name: "Go live",
        purpose: "Make a key of production, and send the first message to a real phone.",
        way: [addressOf("/dashboard/api-keys", { environment: production.id }), "Make a key"]
      }
    ]
    const checklist: Checklist = { steps, isNew: !(said || sent) }
    return checklist
  })
})

/** Shows the steps with how many are done, the next one with its way; folded once a message was said, nothing once all are done. */
export const checklistOf = ({ isNew, steps }: Checklist): Html | undefined => {
  const done = steps.filter(({ isDone }) => isDone).length
  if (done === steps.length) return undefined
  const next = steps.findIndex(({ isDone }) => !isDone)
  return html`<section class="card checklist" aria-labelledby="first"><details${isNew && html` open`}><summary><h2 id="first">Get started</h2> <span class="muted">${done} of ${steps.length} done</span></summary>
${bar({ most: steps.length, value: done, name: html`${done} of ${steps.length} done` })}
<ol>${steps.map(
    ({ isDone, name, purpose, way: [address, text] }, index) =>
      html`<li${isDone && html` class="done"`}>${isDone ? icon("paid") : html`<span class="open" aria-hidden="true"></span>`}<div><h3>${isDone ? say(name) : html`<a href="${address}">${say(name)}</a>`}${isDone && html`<span class="hidden"> done</span>`}</h3>${
        !isDone && html`<p>${say(purpose)}</p>`
      }${index === next && html`<p><a class="button primary" href="${address}">${say(text)}</a></p>`}</div></li>`
  )}</ol></details></section>`
}
