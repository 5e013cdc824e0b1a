import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect, Layer } from "effect"
import { confirmationPage } from "../kit/Confirmation.ts"
import { environmentOf } from "../kit/Environments.ts"
import { unconfirmed } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import type { Page } from "../kit/Layout.ts"
import { addressOf } from "../kit/Lists.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { notice } from "../kit/Parts.ts"
import { NotHere } from "../kit/Refusals.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"

const address = "/dashboard/sandbox-clock"
const path = `${address}/:environment/reset`

/** Empties a sandbox and takes its clock back to real time, once a person has typed the slug of its project. */
export const ResetHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations

    const sandboxOf = Effect.fnUntraced(function* (visit: Visit) {
      const environment = yield* environmentOf(visit)
      return environment.kind === "sandbox" ? environment : yield* new NotHere()
    })

    const reset = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const sandbox = yield* sandboxOf(visit)
      const error = unconfirmed(sent, sandbox.project_slug)
      if (error !== undefined) return resetPage(visit.csrf, sandbox, error)
      const payload = { project_slug: sandbox.project_slug }
      yield* operations.sandboxClock.reset(asVisitor(visit, sandbox), { payload })
      return { to: addressOf(address, { environment: sandbox.id }) }
    })

    return Layer.mergeAll(
      page({
        operation: "askResetSandbox",
        path,
        handler: (visit) => Effect.map(sandboxOf(visit), (sandbox) => resetPage(visit.csrf, sandbox))
      }),
      action({ operation: "resetSandbox", audit: "sandbox.reset", path, handler: reset })
    )
  })
)

const resetPage = (csrf: string, { id, project_slug }: EnvironmentEntry, error?: Html): Page => {
  const back = addressOf(address, { environment: id })
  return confirmationPage({
    title: "Empty this sandbox?",
    section: "clock",
    environment: id,
    up: [back, "Sandbox clock"],
    action: `${address}/${id}/reset`,
    csrf,
    explanation: html`${notice(
      "warn",
      html`<strong>This is for good.</strong> Messages, contacts, events, endpoints, batches, payments, files and the log of requests of this sandbox are deleted, and its clock goes back to real time.`
    )}
<p>Keys, templates and the first simulated number stay. Until it is empty, a few seconds, requests that write are refused.</p>`,
    button: "Empty this sandbox",
    dangerous: true,
    name: { value: project_slug, error }
  })
}
