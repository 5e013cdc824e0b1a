import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { type FlowEntry, isUnpublished } from "@carteiro/schema/flows/Flow.ts"
import { Effect, Layer } from "effect"
import { confirmationPage } from "../kit/Confirmation.ts"
import { environmentName, environmentOf, idOf } from "../kit/Environments.ts"
import { unconfirmed } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import type { Label } from "../kit/Language.ts"
import { live } from "../kit/LiveScript.ts"
import { orNotHere } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { facts, form, instant, none, notice, personText } from "../kit/Parts.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { Stories } from "../story/Stories.ts"
import { definitionOf, flowBadge } from "./FlowParts.ts"

const address = "/dashboard/flows"
const path = `${address}/:environment/:id`

/** A step that cannot be undone: it asks for the name of the flow first. */
interface Step {
  readonly title: Label
  readonly button: Label
  readonly explanation: Html
}

/** One flow with its definition; owners and admins publish, deprecate and delete it. */
export const FlowHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations
    const stories = yield* Stories

    const found = Effect.fnUntraced(function* (visit: Visit, environment: EnvironmentEntry) {
      const flow_id = yield* idOf(visit, "flw")
      return yield* orNotHere(operations.flows.get(asVisitor(visit, environment), { params: { flow_id } }))
    })

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const flow = yield* found(visit, environment)
      const here = `${address}/${environment.id}/${flow.id}`
      const deliveries = yield* stories.deliveries(visit, environment, flow.id)
      return {
        title: html`${flow.name}`,
        section: "flows",
        environment: environment.id,
        up: [`${address}?environment=${environment.id}`, "Flows"],
        follows: "time",
        body: html`<div id="facts"${live}>${flow.rejection_reason !== null && notice("bad", personText(flow.rejection_reason))}
<div class="card">${factsOf(flow, environmentName(environment))}
${visit.mayChange && commands(here, visit.csrf, flow)}</div></div>
<section aria-labelledby="definition"><h2 id="definition">Definition</h2>${definitionOf(flow)}</section>
${deliveries}
${stories.calls([
  { title: "Read it", method: "GET", path: `/v1/flows/${flow.id}` },
  ...(isUnpublished(flow)
    ? [{ title: "Publish it", method: "POST", path: `/v1/flows/${flow.id}/publish` } as const]
    : [])
])}`
      }
    })

    const publish = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const id = yield* idOf(visit, "flw")
      yield* operations.flows.publish(asVisitor(visit, environment), { params: { flow_id: id } })
      return { to: `${address}/${environment.id}/${id}?done=flow_published` }
    })

    const ask = (segment: string, { button, explanation, title }: Step) =>
      Effect.fnUntraced(function* (visit: Visit, error?: Html): Effect.fn.Return<Outcome, ApiError> {
        const environment = yield* environmentOf(visit)
        const flow = yield* found(visit, environment)
        const here = `${address}/${environment.id}/${flow.id}`
        return confirmationPage({
          title,
          section: "flows",
          environment: environment.id,
          up: [here, html`${flow.name}`],
          action: `${here}/${segment}`,
          csrf: visit.csrf,
          explanation,
          button,
          dangerous: true,
          name: { value: flow.name, error }
        })
      })
    const askDeprecate = ask("deprecate", deprecating)
    const askDelete = ask("delete", deleting)

    /** Returns what a form does once the name of the flow was typed. */
    const named = (
      again: typeof askDelete,
      work: (visit: Visit, environment: EnvironmentEntry, id: string) => Effect.Effect<Outcome, ApiError>
    ) =>
      Effect.fnUntraced(function* (visit: Visit, sent: URLSearchParams): Effect.fn.Return<Outcome, ApiError> {
        const environment = yield* environmentOf(visit)
        const { id, name } = yield* found(visit, environment)
        const error = unconfirmed(sent, name)
        if (error !== undefined) return yield* again(visit, error)
        return yield* work(visit, environment, id)
      })

    const deprecate = named(askDeprecate, (visit, environment, id) =>
      Effect.gen(function* () {
        yield* operations.flows.deprecate(asVisitor(visit, environment), { params: { flow_id: id } })
        return { to: `${address}/${environment.id}/${id}?done=flow_deprecated` }
      })
    )
    const remove = named(askDelete, (visit, environment, id) =>
      Effect.gen(function* () {
        yield* operations.flows.delete(asVisitor(visit, environment), { params: { flow_id: id } })
        return { to: `${address}?environment=${environment.id}&done=flow_deleted` }
      })
    )

    return Layer.mergeAll(
      page({ operation: "flow", path, handler: show }),
      action({ operation: "publishFlow", audit: "flow.published", path: `${path}/publish`, handler: publish }),
      page({ operation: "askDeprecateFlow", path: `${path}/deprecate`, handler: (visit) => askDeprecate(visit) }),
      action({ operation: "deprecateFlow", audit: "flow.deprecated", path: `${path}/deprecate`, handler: deprecate }),
      page({ operation: "askDeleteFlow", path: `${path}/delete`, handler: (visit) => askDelete(visit) }),
      action({ operation: "deleteFlow", audit: "flow.deleted", path: `${path}/delete`, handler: remove })
    )
  })
)

const deprecating: Step = {
  title: "Deprecate this flow?",
  button: "Deprecate the flow",
  explanation: html`<p>Messages can no longer open it. Forms that customers have open stay as they are.</p>`
}

const deleting: Step = {
  title: "Delete this flow?",
  button: "Delete the flow",
  explanation: html`<p>The draft is deleted with its definition.</p>`
}

/** The actions that a flow allows now. */
const commands = (here: string, csrf: string, flow: FlowEntry): Html =>
  html`<div class="buttons">${isUnpublished(flow) && form(`${here}/publish`, csrf, html`<button class="primary">Publish</button>`)}
${flow.status === "published" && html`<a class="button" href="${here}/deprecate">Deprecate…</a>`}
${flow.status === "draft" && html`<a class="button" href="${here}/delete">Delete…</a>`}</div>`

const factsOf = (flow: FlowEntry, where: Html): Html =>
  facts([
    ["Status", flowBadge(flow.status)],
    ["Categories", flow.categories.length === 0 ? none("none") : flow.categories.join(", ")],
    ["Provider's id", flow.provider_flow_id === null ? none("none") : html`<code>${flow.provider_flow_id}</code>`],
    ["Environment", where],
    ["Created", instant(flow.created_at)],
    ["Changed", instant(flow.updated_at)],
    ["Published", instant(flow.published_at)],
    ["Id", html`<code>${flow.id}</code>`]
  ])
