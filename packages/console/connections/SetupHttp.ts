import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { SetupSession } from "@carteiro/schema/provider-connections/SetupSession.ts"
import { Effect, Layer, Result } from "effect"
import { environmentName } from "../kit/Environments.ts"
import { field } from "../kit/Forms.ts"
import { html } from "../kit/Html.ts"
import { say, statusWord } from "../kit/Language.ts"
import type { Page } from "../kit/Layout.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { badge, facts, form, input, instant, notice } from "../kit/Parts.ts"
import { refusalText } from "../kit/RefusalTexts.ts"
import { fieldsOf, takesInstitutions, targetName } from "./SetupFields.ts"

const address = "/dashboard/setup"

/**
 * Where an owner or admin enters the credentials that an integration asked for, or refuses to. What was typed is never
 * shown again.
 */
export const SetupHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { connectionDecisions: decisions } = yield* Operations

    const requestOf = ({ request }: Visit) => ({ params: { setup_session_id: request.params.id ?? "" } })

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const session = yield* decisions.setup(asVisitor(visit), requestOf(visit))
      const driver = new URLSearchParams(visit.request.search).get("driver")
      return yield* setupPage(visit, session, undefined, driver === standard)
    })

    const complete = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const session = yield* decisions.setup(asVisitor(visit), requestOf(visit))
      const atInstitution = takesInstitutions(session.target) && field(sent, "driver") === standard
      const entered = fieldsOf(session.target, atInstitution).flatMap(({ name }) => {
        const value = field(sent, name).trim()
        return value === "" ? [] : [[name, value] as const]
      })
      const driver = atInstitution ? { driver: standard, certificate_password: "" } : undefined
      const payload = { credentials: { ...driver, ...Object.fromEntries(entered) } }
      const outcome = yield* Effect.result(decisions.completeSetup(asVisitor(visit), { ...requestOf(visit), payload }))
      if (Result.isSuccess(outcome)) return { to: `${address}/${session.id}` }
      const refusal = outcome.failure
      // A session that takes no decision any more has nothing to enter.
      const mayRepeat = session.status === "pending" && refusal.status < 500
      return mayRepeat ? yield* setupPage(visit, session, refusal, atInstitution) : yield* refusal
    })

    const deny = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const session = yield* decisions.denySetup(asVisitor(visit), requestOf(visit))
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

/** The driver of accounts at institutions. */
const standard = "pix-api"

const setupPage = Effect.fnUntraced(function* (
  visit: Visit,
  session: SetupSession,
  refusal: ApiError | undefined,
  atInstitution: boolean
) {
  const place = (yield* visit.environments).find(({ id }) => id === session.environment_id)
  const { status } = session
  const shown: Page = {
    title: html`Connect ${say(targetName(session.target))}`,
    section: "connections",
    environment: session.environment_id,
    status: refusal === undefined ? 200 : 400,
    body: html`<div class="card narrow">
${facts([
  ["For", place === undefined ? session.environment : environmentName(place)],
  [
    "Status",
    badge(statusWord("setup", status), status === "completed" ? "good" : status === "pending" ? "info" : "warn")
  ],
  ["Open until", instant(session.expires_at)]
])}
${status === "pending" ? asking(visit, session, refusal, atInstitution) : html`<p>${say(outcomes[status])}</p>`}
</div>`
  }
  return shown
})

const outcomes = {
  completed: "The credentials were taken. You can close this page: whoever asked for them is told by polling.",
  denied: "It was denied. Nothing was connected.",
  expired: "Its half hour is over. Nothing was connected; a new link has to be made."
} as const

const asking = (visit: Visit, session: SetupSession, refusal: ApiError | undefined, atInstitution: boolean) => {
  if (!visit.mayChange) return notice("info", say("An owner or admin of the organization enters the credentials here."))
  const refused = refusal?.param?.replace(/^credentials\./, "")
  const fields = fieldsOf(session.target, atInstitution)
  const known = fields.some(({ name }) => name === refused)
  const here = `${address}/${session.id}`
  return html`<p>An integration of yours asks for these credentials. It never sees them: they are stored sealed, and only their last four characters are shown again.</p>
${takesInstitutions(session.target) && otherForm(here, atInstitution)}
${refusal !== undefined && !known && notice("bad", refusalText(refusal))}
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
      maxLength: one.name === "certificate_pkcs12_base64" ? 65_536 : 4096,
      plain: true,
      error: refused === one.name ? refusal && refusalText(refusal) : undefined
    })
  )}${atInstitution && html`<input type="hidden" name="driver" value="${standard}">`}<div class="buttons"><button class="primary">Connect</button></div>`
)}
${form(`${here}/deny`, visit.csrf, html`<div class="buttons"><button class="danger">Deny</button></div>`)}`
}

/** The link to the form of the other kind of account. */
const otherForm = (here: string, atInstitution: boolean) =>
  atInstitution
    ? html`<p><a href="${here}">The account has an API key</a></p>`
    : html`<p><a href="${`${here}?driver=${standard}`}">The account is at a bank or institution with the standard API for Pix</a></p>`
