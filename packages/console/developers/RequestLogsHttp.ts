import type { RawRequest } from "@carteiro/http-edge/Routes.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { RequestLog, RequestLogDetail } from "@carteiro/schema/request-logs/RequestLog.ts"
import { Effect, Layer } from "effect"
import { environmentName, environmentOf, idOf } from "../kit/Environments.ts"
import { dayFilter, textFilter, wordFilter } from "../kit/Filters.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { contractWord, type Label, say } from "../kit/Language.ts"
import { membersOf } from "../kit/ListFile.ts"
import { environmentList, fileOfLines } from "../kit/ListPage.ts"
import { addressOf } from "../kit/Lists.ts"
import { makeOperationList, narrowedBy, orNotHere, peoplesList } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { type Outcome, page, type Visit } from "../kit/Pages.ts"
import { badge, facts, linkOut, moment, none, personText, type Table, table } from "../kit/Parts.ts"
import { section, storyPage, timeline } from "../kit/Story.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"

const address = "/dashboard/request-logs"
const statuses = ["2xx", "4xx", "5xx"] as const
const methods = ["GET", "POST", "PATCH", "DELETE"] as const

const filters = {
  status: wordFilter("Status", statuses),
  method: wordFilter("Method", methods),
  route: textFilter("Route", 200),
  code: textFilter("Error code", 100),
  request_id: textFilter("Request id", 64),
  trace_id: textFilter("Trace id", 64, { isMore: true }),
  api_key_id: textFilter("Key id", 64, { isMore: true }),
  created_after: dayFilter("From day", "begins"),
  created_before: dayFilter("To day", "ends")
}

type RequestLogs = (typeof Operations.Service)["requestLogs"]["list"]
type ListRequest = { readonly query: NonNullable<NonNullable<Parameters<RequestLogs>[1]>["query"]> }
type NotKept = Effect.Success<ReturnType<RequestLogs>>["not_kept"]

/** Requests of an environment, and one of them with its bodies. */
export const RequestLogsHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { requestLogLookups, requestLogs } = yield* Operations
    const lines = peoplesList(requestLogLookups.lines)
    /** The counts of requests that are not kept, from lists of all times, by the request of their page. */
    const counts = new WeakMap<RawRequest, NotKept>()
    const requests = (yield* makeOperationList)("requestLogs.list", (caller, request: ListRequest) =>
      Effect.map(requestLogs.list(caller, request), (answer) => {
        const { created_after, created_before } = request.query
        if (created_after === undefined && created_before === undefined) counts.set(caller.request, answer.not_kept)
        return answer
      })
    )

    /** Returns how many requests of all times are not kept, whatever the list of the page is narrowed to. */
    const notKept = (visit: Visit, environment: EnvironmentEntry): Effect.Effect<NotKept, ApiError> => {
      const known = counts.get(visit.request)
      return known === undefined
        ? Effect.map(requestLogs.list(asVisitor(visit, environment), { query: { limit: "1" } }), (one) => one.not_kept)
        : Effect.succeed(known)
    }

    const { routes } = yield* environmentList({
      operation: "requestLogs",
      path: address,
      title: "Request log",
      section: "logs",
      api: "requestLogs.list",
      follows: "time",
      filters,
      read: (environment, search, before, count, visit) =>
        requests(visit, environment, before, count, narrowedBy(search)),
      idOf: ({ id }) => id,
      table: (rows, { id }, nothing) => requestTable(id, rows, nothing),
      file: fileOfLines<EnvironmentEntry, typeof filters, RequestLog>(
        membersOf(
          (request) => request,
          "id",
          "created_at",
          "method",
          "route",
          "status",
          "code",
          "warning",
          "duration_ms",
          "api_key_id",
          "trace_id"
        ),
        (environment, search, before, count, visit) => lines(visit, environment, before, count, narrowedBy(search))
      ),
      empty: () => ({
        purpose: say(
          "Every request that a key of this environment makes, also to a path that does not exist, a second or so after its answer."
        ),
        operation: "messages.send"
      }),
      around: (environment, visit) =>
        environment === undefined
          ? Effect.succeed({})
          : Effect.map(notKept(visit, environment), ({ dropped, sampled }) => ({
              before: html`<p>Requests of this environment's keys, a second or so after their answers. Successful reads that are not in the log because they came too fast: ${sampled}. Requests that the log had no room for: ${dropped}.</p>`
            }))
    })

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const request_id = yield* idOf(visit, "req")
      const request = yield* orNotHere(requestLogs.get(asVisitor(visit, environment), { params: { request_id } }))
      return {
        title: html`${request.method} ${routeName(request)}`,
        section: "logs",
        environment: environment.id,
        up: [`${address}?environment=${environment.id}`, "Request log"],
        ...storyPage({
          headline: {
            state: answerOf(request),
            about: [html`${request.duration_ms} ms`, moment(request.created_at)]
          },
          warnings: refusalPart(request),
          story: html`${section("timeline", "What happened", timelineOf(request))}
<p class="muted">${say(standing[request.details])}</p>
${body("sent", "Request body", request.request_body)}
${body("answered", "Response body", request.response_body)}`,
          facts: facts([
            ["Environment", environmentName(environment)],
            ["Path", personText(html`<code>${request.path ?? none("erased")}</code>`)],
            request.query === null ? undefined : ["Query", personText(html`<code>${request.query}</code>`)],
            ["Took", html`${request.duration_ms} ms`],
            ["At", moment(request.created_at)],
            ["Key", html`<code>${request.api_key_id}</code>`],
            ["From", html`<code>${request.source_address}</code>`],
            request.idempotency_key === null
              ? undefined
              : [
                  "Idempotency key",
                  personText(html`<code>${request.idempotency_key}</code>${request.replayed && html` (replayed)`}`)
                ],
            ["Request", html`<code>${request.id}</code>`],
            ["Trace", html`<a href="${traceAddress(environment.id, request)}"><code>${request.trace_id}</code></a>`]
          ])
        })
      }
    })

    return Layer.merge(routes, page({ operation: "requestLog", path: `${address}/:environment/:id`, handler: show }))
  })
)

/** Returns when a request came, and when it was answered with what. */
const timelineOf = (request: RequestLogDetail): Html =>
  timeline([
    {
      what: say("Arrived"),
      at: request.created_at,
      cause: html`${request.method} ${routeName(request)}, <code>${request.source_address}</code>`
    },
    {
      what: request.replayed ? say("Answered as before") : say("Answered"),
      at: Date.parse(request.created_at) + request.duration_ms,
      tone: request.status >= 500 ? "bad" : request.status >= 400 ? "warn" : "good",
      cause: answerOf(request)
    }
  ])

const standing = {
  kept: "Secrets, codes and media are left out. Bodies over 16 KB and answers of successful reads are not kept.",
  masked: "Texts are left out: the request names no customer, so an erasure would not find them.",
  erased: "What this request held was erased with its customer."
} as const

/** A request that no route matches has none; its path stands on its page. */
const routeName = ({ route }: RequestLog): Piece => (route === "-" ? none("no such route") : route)

const traceAddress = (environment: string, { trace_id }: RequestLogDetail): string =>
  addressOf(address, { environment, trace_id })

const answerOf = ({ code, status, warning }: RequestLog): Html =>
  html`${badge(contractWord(String(status)), status >= 500 ? "bad" : status >= 400 ? "warn" : "good")} ${code && codeLink(code)}${
    warning !== null && badge(contractWord(warning), "warn")
  }`

/** The page of an error code in the documentation, which every code has. */
const codeLink = (code: string): Html => html`<a href="/docs/errors/${code}"><code>${code}</code></a>`

/** The envelope of a refusal as the log has it; an erased one has none. */
const refusalIn = ({ response_body }: RequestLogDetail): Partial<Readonly<Record<string, unknown>>> | undefined => {
  const { error } = (response_body ?? {}) as { readonly error?: unknown }
  return typeof error === "object" && error !== null ? { ...error } : undefined
}

/** Shows the refusal of a request: the sentence of the API, its code with the page of that code, and its parameter. */
const refusalPart = (request: RequestLogDetail): Html | undefined => {
  const refusal = refusalIn(request)
  if (refusal === undefined || request.code === null) return undefined
  const { channel, doc_url: url, message, param } = refusal
  return html`<section class="card" aria-labelledby="refusal"><h2 id="refusal">What the API answered</h2>
${typeof message === "string" && html`<p>${personText(message)}</p>`}
${facts([
  ["Error code", codeLink(request.code)],
  typeof param === "string" ? ["Parameter", html`<code>${param}</code>`] : undefined,
  typeof channel === "string" ? ["Channel", html`<code>${channel}</code>`] : undefined,
  typeof url === "string" ? ["What it means", linkOut(url)] : undefined
])}</section>
`
}

const body = (id: string, title: Label, value: unknown): Html =>
  html`${
    value !== null &&
    html`<section aria-labelledby="${id}"><h2 id="${id}">${say(title)}</h2><pre>${JSON.stringify(value, null, 2)}</pre></section>`
  }`

const requestTable = (environment: string, requests: ReadonlyArray<RequestLog>, nothing: Piece): Table =>
  table(
    "Requests, newest first",
    ["Request", "Answer", "Took", "At"],
    requests.map((request) => [
      personText(html`<a href="${address}/${environment}/${request.id}">${request.method} ${routeName(request)}</a>`),
      answerOf(request),
      html`${request.duration_ms} ms`,
      moment(request.created_at)
    ]),
    nothing
  )
