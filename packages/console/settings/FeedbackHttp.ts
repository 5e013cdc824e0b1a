import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { WholeReport } from "@carteiro/schema/feedback/WholeReportsApi.ts"
import { Effect, Layer } from "effect"
import { environmentName, environmentOf, idOf } from "../kit/Environments.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { contractWord, say, statusWord } from "../kit/Language.ts"
import { membersOf } from "../kit/ListFile.ts"
import { environmentList } from "../kit/ListPage.ts"
import { positionOf } from "../kit/Lists.ts"
import { orNotHere } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { type Outcome, page, type Visit } from "../kit/Pages.ts"
import { badge, facts, instant, none, personText, type Table, type Tone, table } from "../kit/Parts.ts"

const address = "/dashboard/feedback"

/** Reports the organization sent, where they stand and how operators answered. */
export const FeedbackHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { wholeReports } = yield* Operations

    const { routes } = yield* environmentList({
      operation: "feedback",
      path: address,
      title: "Feedback",
      section: "feedback",
      api: "feedback.list",
      filters: {},
      read: (environment, _, before, count, visit) =>
        Effect.map(
          wholeReports.list(asVisitor(visit, environment), { query: positionOf(before, count) }),
          ({ data }) => ({ rows: data, walked_to: null })
        ),
      idOf: ({ id }) => id,
      table: (rows, { id }, nothing) => reportTable(id, rows, nothing),
      file: membersOf((report: WholeReport) => report, "id", "created_at", "status", "message", "resolutions"),
      empty: () => ({
        purpose: say("Reports that keys of this environment send about the service. Operators answer them here."),
        operation: "feedback.create"
      }),
      around: () =>
        Effect.succeed({
          before: html`<p>Reports that keys of this organization sent with <code>POST /v1/feedback</code>. Operators of the service answer them.</p>`
        })
    })

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const params = { feedback_report_id: yield* idOf(visit, "fbk") }
      const report = yield* orNotHere(wholeReports.get(asVisitor(visit, environment), { params }))
      return {
        title: "Feedback report",
        section: "feedback",
        environment: environment.id,
        up: [`${address}?environment=${environment.id}`, "Feedback"],
        body: html`<div class="card">${facts([
          ["Status", statusBadge(report.status)],
          ["Environment", environmentName(environment)],
          ["Created", instant(report.created_at)],
          ["Id", html`<code>${report.id}</code>`],
          report.redacted ? ["Credentials", say("taken out before it was stored")] : undefined
        ])}
<h2>Message</h2><p class="message">${report.message}</p>
${related(report)}</div>
<section aria-labelledby="answers"><h2 id="answers">Answers</h2>${
          report.resolutions.length === 0
            ? html`<p class="empty">There is no answer yet.</p>`
            : report.resolutions.map(
                ({ disposition, public_summary, published_at }) =>
                  html`<article class="card"><p>${badge(contractWord(disposition), "info")} ${instant(published_at)}</p><p class="message">${public_summary}</p></article>`
              )
        }</section>`
      }
    })

    return Layer.merge(
      routes,
      page({ operation: "feedbackReport", path: `${address}/:environment/:id`, handler: show })
    )
  })
)

const tones: Readonly<Record<string, Tone>> = {
  received: "plain",
  in_review: "info",
  resolved: "good",
  closed: "plain"
}
const statusBadge = (status: string): Html => badge(statusWord("report", status), tones[status] ?? "plain")

const reportTable = (environmentId: string, reports: ReadonlyArray<WholeReport>, nothing: Piece): Table =>
  table(
    "Feedback reports, newest first",
    ["Message", "Status", "Answer", "Created"],
    reports.map((report) => [
      personText(html`<a href="${address}/${environmentId}/${report.id}">${shortened(report.message)}</a>`),
      statusBadge(report.status),
      report.resolutions[0] === undefined ? none("none yet") : contractWord(report.resolutions[0].disposition),
      instant(report.created_at)
    ]),
    nothing
  )

const shortened = (message: string): string => {
  const letters = [...message.replaceAll("\n", " ")]
  return letters.length <= 100 ? letters.join("") : `${letters.slice(0, 100).join("")}…`
}

/** Shows the references of the report, and the details that its sender added. */
const related = ({ related_error, context }: WholeReport): Html => {
  const entries = [
    ...Object.entries({ ...related_error }).map(([name, value]) => [html`error ${name}`, value] as const),
    ...Object.entries({ ...context }).map(([name, value]) => [html`${name}`, value] as const)
  ]
  return html`${
    entries.length > 0 &&
    html`<h2>Context</h2>${facts(entries.map(([name, value]) => [name, html`<code>${value}</code>`] as const))}`
  }`
}
