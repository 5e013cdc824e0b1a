import type { DeviceRequest } from "@carteiro/schema/access/DeviceDecisionsApi.ts"
import { mayDecide } from "@carteiro/schema/access/Roles.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { Effect, Layer } from "effect"
import { kindBadge } from "../kit/Environments.ts"
import { field, queryParameter } from "../kit/Forms.ts"
import { html } from "../kit/Html.ts"
import { type Label, say } from "../kit/Language.ts"
import type { Page } from "../kit/Layout.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { ago, badge, checkbox, exactMoment, facts, form, input, instant, notice, select } from "../kit/Parts.ts"
import { Sessions } from "../ports/Sessions.ts"

const address = "/dashboard/device"

/**
 * Where owners and admins approve devices. Looking at a request decides nothing; ten wrong codes lock the form of the
 * session for 15 minutes.
 */
export const DeviceHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { deviceDecisions: devices, ownProjects } = yield* Operations
    const sessions = yield* Sessions

    const look = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const typed = queryParameter(visit.request, "user_code")
      if (!mayDecide(visit.session.member.role))
        return explained(notice("info", say("Only owners and admins approve devices.")))
      if (!visit.mayChange) return explained(undefined)
      if (visit.session.lockedUntil !== null) return locked(visit.session.lockedUntil)
      if (typed === undefined) return codeForm("", undefined)
      const request = yield* Effect.catchTag(
        devices.find(asVisitor(visit), { query: { user_code: typed } }),
        "device_request_not_found",
        () => Effect.undefined
      )
      if (request === undefined) {
        const lockedUntil = yield* sessions.wrongCode(visit.token, visit.now)
        return lockedUntil === null ? codeForm(typed, wrong) : locked(lockedUntil)
      }
      const { data: projects } = yield* ownProjects.list(asVisitor(visit))
      const active = projects.filter(({ archived_at }) => archived_at === null)
      const choices = active.map(({ id, name, slug }) => [id, html`${name} (${slug})`] as const)
      return requestPage(visit, request, choices)
    })

    const decide = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const params = { device_request_id: visit.request.params.id ?? "" }
      const payload = { project_id: field(sent, "project_id"), scopes: sent.getAll("scopes") }
      const { status } = yield* field(sent, "decision") === "approve"
        ? devices.approve(asVisitor(visit), { params, payload })
        : devices.deny(asVisitor(visit), { params })
      return { to: `${address}?done=${status}` }
    })

    return Layer.merge(
      page({ operation: "device", path: address, handler: look }),
      action({
        operation: "decideDevice",
        audit: "device.decided",
        keeps: ["decision", "scopes"],
        path: `${address}/:id`,
        handler: decide
      })
    )
  })
)

const wrong = "No open request has this code. Compare it with the one on your device; it works for 15 minutes."

const explained = (content: Page["body"] | undefined): Page => ({
  title: "Approve a device",
  section: "device",
  body: html`${content}<p>A command line or an agent asks for an API key by showing a code. An owner or admin approves it here.</p>`
})

const locked = (until: number): Page => ({
  ...explained(notice("bad", html`Too many wrong codes. This form is locked until ${instant(until)}.`)),
  status: 429
})

const codeForm = (typed: string, error: string | undefined): Page => ({
  title: "Approve a device",
  section: "device",
  status: error === undefined ? 200 : 404,
  body: html`<div class="card narrow"><form method="get" action="${address}">
${input({
  name: "user_code",
  label: "Code shown by the device",
  hint: say("Eight letters, such as BCDF-GHJK."),
  value: typed,
  error,
  required: true,
  maxLength: 32,
  plain: true,
  autofocus: true
})}
<div class="buttons"><button class="primary">Continue</button></div></form></div>`
})

type Choices = ReadonlyArray<readonly [id: string, text: Label]>

const requestPage = (visit: Visit, request: DeviceRequest, choices: Choices): Page => ({
  title: "Approve a device",
  section: "device",
  up: [address, "Another code"],
  body: html`<div class="card">
<p>Approve only if you started this yourself and the code is the one your device shows: <strong class="code">${request.user_code}</strong></p>
${facts([
  ["Client", html`<strong>${request.client_name}</strong> ${badge("unverified name", "warn")}`],
  ["Environment", kindBadge(request.environment)],
  ["Key expires", instant(request.key_expires_at)],
  ["Asked from", html`<code>${request.source_ip}</code>`],
  [
    "Asked",
    html`${ago(parseTimestamp(request.created_at) ?? visit.now, visit.now)} (${exactMoment(request.created_at)})`
  ]
])}
${form(
  `${address}/${request.id}`,
  visit.csrf,
  html`${choices.length === 0 ? notice("warn", say("There is no active project to bind the key to.")) : projectChoice(choices)}
<fieldset><legend>Scopes to grant</legend>
${request.scopes.length === 0 && html`<p class="muted">It asks for none: the key can read its account and send feedback.</p>`}
<div class="ticks">${request.scopes.map((scope) => checkbox("scopes", scope, html`<code>${scope}</code>`, true))}</div></fieldset>
<div class="buttons">${choices.length > 0 && html`<button class="primary" name="decision" value="approve">Approve</button>`}
<button class="danger" name="decision" value="deny" formnovalidate>Deny</button></div>`
)}</div>`
})

/** With several projects none is selected at first, so that a person has to choose. */
const projectChoice = (choices: Choices) =>
  select({
    name: "project_id",
    label: "Project the key is bound to",
    choices: choices.length === 1 ? choices : [["", "Pick a project"], ...choices],
    chosen: choices.length === 1 ? choices[0]?.[0] : "",
    required: true
  })
