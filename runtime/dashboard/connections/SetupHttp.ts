import { type ApiError, isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect, Layer } from "effect"
import { SetupActions, type StoredSetup, setupStatus } from "../../provider-connections/ProviderConnections.ts"
import { environmentName } from "../kit/Environments.ts"
import { field } from "../kit/Forms.ts"
import { html } from "../kit/Html.ts"
import { contractWord, say } from "../kit/Language.ts"
import type { Page } from "../kit/Layout.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { badge, facts, form, input, instant, notice } from "../kit/Parts.ts"
import { fieldsOf, targetName } from "./SetupFields.ts"

const address = "/dashboard/setup"

/**
 * Where an owner or admin enters the credentials that an integration asked for, or refuses to. What was typed is never
 * shown again. M-SETUP-02, gaps-2 L "Setup session routes"
 */
export const SetupHttp = Layer.unwrap(
  Effect.gen(function* () {
    const setups = yield* SetupActions

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const session = yield* setups.find(visit.organizationId, visit.request.params.id ?? "")
      return yield* setupPage(visit, session, undefined)
    })

    const complete = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const by = deciderOf(visit)
      const session = yield* setups.open(by, visit.request.params.id ?? "", "complete")
      const entered = fieldsOf(session.target).flatMap(({ name }) => {
        const value = field(sent, name).trim()
        return value === "" ? [] : [[name, value] as const]
      })
      const outcome = yield* Effect.result(setups.complete(session, Object.fromEntries(entered), by))
      if (outcome._tag === "Success") return { to: `${address}/${session.id}` }
      const refusal = outcome.failure
      if (isApiError(refusal) && refusal.status < 500) return yield* setupPage(visit, session, refusal)
      return yield* refusal
    })

    const deny = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const by = deciderOf(visit)
      const session = yield* setups.open(by, visit.request.params.id ?? "", "deny")
      yield* setups.deny(session, by)
      return { to: `${address}/${session.id}` }
    })

    return Layer.mergeAll(
      page({ operation: "setup", path: `${address}/:id`, handler: show }),
      action({
        operation: "completeSetup",
        audit: "connection.setup_completed",
        path: `${address}/:id`,
        handler: complete
      }),
      action({ operation: "denySetup", audit: "connection.setup_denied", path: `${address}/:id/deny`, handler: deny })
    )
  })
)

const deciderOf = (visit: Visit) => ({
  organization_id: visit.organizationId,
  role: visit.session.member.role,
  now: visit.now
})

const setupPage = Effect.fnUntraced(function* (visit: Visit, session: StoredSetup, refusal: ApiError | undefined) {
  const place = (yield* visit.environments).find(({ id }) => id === session.environment_id)
  const status = setupStatus(session, visit.now)
  const shown: Page = {
    title: html`Connect ${say(targetName(session.target))}`,
    section: "connections",
    environment: session.environment_id,
    status: refusal === undefined ? 200 : 400,
    body: html`<div class="card narrow">
${facts([
  ["For", place === undefined ? session.environment : environmentName(place)],
  ["Status", badge(contractWord(status), status === "completed" ? "good" : status === "pending" ? "info" : "warn")],
  ["Open until", instant(session.expires_at)]
])}
${status === "pending" ? asking(visit, session, refusal) : html`<p>${say(outcomes[status])}</p>`}
</div>`
  }
  return shown
})

const outcomes = {
  completed: "The credentials were taken. You can close this page: whoever asked for them is told by polling.",
  denied: "It was denied. Nothing was connected.",
  expired: "Its half hour is over. Nothing was connected; a new link has to be made."
} as const

const asking = (visit: Visit, session: StoredSetup, refusal: ApiError | undefined) => {
  if (!visit.mayChange) return notice("info", say("An owner or admin of the organization enters the credentials here."))
  const refused = refusal?.param?.replace(/^credentials\./, "")
  const fields = fieldsOf(session.target)
  const known = fields.some(({ name }) => name === refused)
  const here = `${address}/${session.id}`
  return html`<p>An integration of yours asks for these credentials. It never sees them: they are stored sealed, and only their last four characters are shown again.</p>
${refusal !== undefined && !known && notice("bad", refusal.message)}
${form(
  here,
  visit.csrf,
  html`${fields.map((one) =>
    input({
      name: one.name,
      label: one.label,
      ...(one.hint === undefined ? undefined : { hint: say(one.hint) }),
      type: one.secret === true ? "password" : "text",
      required: one.required === true,
      maxLength: 4096,
      plain: true,
      error: refused === one.name ? refusal?.message : undefined
    })
  )}<div class="buttons"><button class="primary">Connect</button></div>`
)}
${form(`${here}/deny`, visit.csrf, html`<div class="buttons"><button class="danger">Deny</button></div>`)}`
}
