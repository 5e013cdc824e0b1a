import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { RequestLog, RequestLogDetail } from "@carteiro/schema/request-logs/RequestLog.ts"
import { Effect, Layer } from "effect"
import { RequestLogReads } from "../../request-logs/RequestLogs.ts"
import {
  type Chosen,
  chosenEnvironment,
  environmentField,
  environmentName,
  environmentOf
} from "../kit/Environments.ts"
import { asked } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { addressOf, askedWord, choicesOf, cutWalk, pageRows } from "../kit/Lists.ts"
import { type Outcome, page, type Visit } from "../kit/Pages.ts"
import { badge, facts, given, input, moment, none, pager, select, table } from "../kit/Parts.ts"
import { NotHere } from "../kit/Refusals.ts"

const address = "/dashboard/request-logs"
const statuses = ["2xx", "4xx", "5xx"]
const methods = ["GET", "POST", "PATCH", "DELETE"]

const isIn =
  (words: ReadonlyArray<string>) =>
  (value: unknown): value is string =>
    typeof value === "string" && words.includes(value)

/** What is looked for; a status or a method of no known word does not narrow. */
const searchOf = ({ request }: Visit) => ({
  status: askedWord(request, "status", isIn(statuses)),
  method: askedWord(request, "method", isIn(methods)),
  route: asked(request, "route"),
  code: asked(request, "code"),
  request_id: asked(request, "request_id"),
  trace_id: asked(request, "trace_id")
})
type Search = ReturnType<typeof searchOf>

/** Requests of an environment, and one of them with its bodies. */
export const RequestLogsHttp = Layer.unwrap(
  Effect.gen(function* () {
    const reads = yield* RequestLogReads

    const list = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const chosen = yield* chosenEnvironment(visit)
      const { environment } = chosen
      const search = searchOf(visit)
      const before = asked(visit.request, "before")
      const id = environment?.id ?? ""
      const { next, shown } = cutWalk(yield* reads.list(id, search, before, pageRows + 1), (row) => row.id)
      const { dropped, sampled } = yield* reads.notKept(id, {})
      const here = { environment: environment?.id, ...search }
      return {
        title: "Request log",
        section: "logs",
        environment: environment?.id,
        body: html`<p>Requests of this environment's keys, a second or so after their answers. Successful reads that are not in the log because they came too fast: ${sampled}. Requests that the log had no room for: ${dropped}.</p>
${searchForm(chosen, search)}
${requestTable(id, shown)}
${pager("requests", before && addressOf(address, here), next && addressOf(address, { ...here, before: next }))}`
      }
    })

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const request = (yield* reads.find(environment.id, visit.request.params.id ?? "")) ?? (yield* new NotHere())
      return {
        title: `${request.method} ${request.route}`,
        section: "logs",
        environment: environment.id,
        up: [`${address}?environment=${environment.id}`, "Request log"],
        body: html`<div class="card">${facts([
          ["Status", answerOf(request)],
          ["Environment", environmentName(environment)],
          ["Path", given(html`<code>${request.path ?? none("erased")}</code>`)],
          request.query === null ? undefined : ["Query", given(html`<code>${request.query}</code>`)],
          ["Took", `${request.duration_ms} ms`],
          ["At", moment(request.created_at)],
          ["Key", html`<code>${request.api_key_id}</code>`],
          ["From", html`<code>${request.source_address}</code>`],
          request.idempotency_key === null
            ? undefined
            : [
                "Idempotency key",
                given(html`<code>${request.idempotency_key}</code>${request.replayed && " (replayed)"}`)
              ],
          ["Request", html`<code>${request.id}</code>`],
          ["Trace", html`<a href="${traceAddress(environment.id, request)}"><code>${request.trace_id}</code></a>`]
        ])}
<p class="muted">${standing[request.details]}</p></div>
${body("sent", "Sent", request.request_body)}
${body("answered", "Answered", request.response_body)}`
      }
    })

    return Layer.merge(
      page({ operation: "requestLogs", path: address, handler: list }),
      page({ operation: "requestLog", path: `${address}/:environment/:id`, handler: show })
    )
  })
)

const standing = {
  kept: "Secrets, codes and media are left out. Bodies over 16 KB and answers of successful reads are not kept.",
  masked: "Texts are left out: the request names no customer, so an erasure would not find them.",
  erased: "What this request held was erased with its customer."
} as const

const traceAddress = (environment: string, { trace_id }: RequestLogDetail): string =>
  addressOf(address, { environment, trace_id })

const answerOf = ({ code, status }: RequestLog): Html =>
  html`${badge(String(status), status >= 500 ? "bad" : status >= 400 ? "warn" : "good")} ${code && html`<code>${code}</code>`}`

const body = (id: string, title: string, value: unknown): Html =>
  html`${
    value !== null &&
    html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2><pre>${JSON.stringify(value, null, 2)}</pre></section>`
  }`

const requestTable = (environment: string, requests: ReadonlyArray<RequestLog>): Html =>
  table(
    "Requests, newest first",
    ["Request", "Answer", "Took", "At"],
    requests.map((request) => [
      given(html`<a href="${address}/${environment}/${request.id}">${request.method} ${request.route}</a>`),
      answerOf(request),
      `${request.duration_ms} ms`,
      moment(request.created_at)
    ]),
    "No request is like this."
  )

const searchForm = (chosen: Chosen, search: Search): Html =>
  html`<form method="get" action="${address}" class="search" role="search">
${environmentField(chosen)}
${select({ name: "status", label: "Status", choices: choicesOf(statuses), chosen: search.status ?? "" })}
${select({ name: "method", label: "Method", choices: choicesOf(methods), chosen: search.method ?? "" })}
${input({ name: "route", label: "Route", value: search.route ?? "", plain: true, maxLength: 200 })}
${input({ name: "code", label: "Error code", value: search.code ?? "", plain: true, maxLength: 100 })}
${input({ name: "request_id", label: "Request id", value: search.request_id ?? "", plain: true, maxLength: 64 })}
<button>Show</button>
</form>`
