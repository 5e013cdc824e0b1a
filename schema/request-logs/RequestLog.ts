import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { id, pathId, TraceId } from "../conventions/Ids.ts"
import { pageOf, pageQuery } from "../conventions/Page.ts"
import { InvalidCursor } from "../conventions/SharedErrors.ts"
import { text } from "../conventions/Text.ts"
import { Timestamp, TimestampInput } from "../conventions/Timestamp.ts"
import { InvalidRequestLogsQuery, RequestLogNotFound } from "./RequestLogErrors.ts"

const summaryFields = {
  id: id("req"),
  object: Schema.Literal("request_log"),
  method: Schema.String.annotateKey({ description: "Method of the request." }),
  route: Schema.String.annotateKey({ description: "The route it matched, such as /v1/messages/{message_id}." }),
  status: Schema.Int.annotateKey({ description: "Status of the response." }),
  code: Schema.NullOr(Schema.String).annotate({ description: "error.code of the response; null for a success." }),
  duration_ms: Schema.Int.annotateKey({
    description: "Time from the request's head to its response, in milliseconds."
  }),
  api_key_id: Schema.String.annotateKey({ description: "Id of the calling key." }),
  source_address: Schema.String.annotateKey({ description: "Source address of the request." }),
  replayed: Schema.Boolean.annotateKey({ description: "Whether a stored response was replayed." }),
  warning: Schema.NullOr(Schema.String).annotate({
    description:
      "Value of the header svc-warning, such as invalid_phone_number for a message to a number that no country has; null without one."
  }),
  trace_id: TraceId,
  created_at: Timestamp
}

/** One request as lists return it. */
export const RequestLog = Schema.Struct(summaryFields).annotate({
  identifier: "RequestLog",
  examples: [
    {
      id: "req_01kah7v3m8q6x2r9d4t5w0y1z3",
      object: "request_log",
      method: "POST",
      route: "/v1/messages",
      status: 404,
      code: "phone_number_not_found",
      duration_ms: 4,
      api_key_id: "key_01kah7v3m8q6x2r9d4t5w0y1z3",
      source_address: "203.0.113.7",
      replayed: false,
      warning: null,
      trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
      created_at: "2026-01-01T12:00:00.000Z"
    }
  ]
})
export type RequestLog = typeof RequestLog.Type

/** The part of path, query and bodies that the log still has. */
const Details = Schema.Literals(["kept", "masked", "erased"]).annotate({
  description:
    "kept: path, query and bodies without secrets. masked: texts are left out too, because they name no customer, or too many, by whom an erasure could find them. erased: path, query and bodies are deleted."
})

/** One request with the kept part of its path, query and bodies. */
export const RequestLogDetail = Schema.Struct({
  ...summaryFields,
  details: Details,
  path: Schema.NullOr(Schema.String).annotate({ description: "The path as sent; null after erasure." }),
  query: Schema.NullOr(Schema.String).annotate({ description: "The query as sent; null for none." }),
  idempotency_key: Schema.NullOr(Schema.String).annotate({ description: "The idempotency key sent; null for none." }),
  request_body: Schema.NullOr(Schema.Unknown).annotate({
    description: "The JSON body; null for none, and for one over 16 KB. Secrets, codes and media read [REDACTED]."
  }),
  response_body: Schema.NullOr(Schema.Unknown).annotate({
    description: "The JSON response of a write or an error; null for a successful read, and for one over 16 KB."
  })
}).annotate({ identifier: "RequestLogDetail" })
export type RequestLogDetail = typeof RequestLogDetail.Type

/** Query of GET /v1/request-logs; filters are combined with AND. */
export const requestLogsQuery = {
  ...pageQuery(),
  status: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^(?:[1-5]xx|[1-5]\d\d)$/u, { expected: "a status such as 404, or a class such as 4xx" })
    )
  ).annotate({
    description: "A status such as 404, or a class such as 4xx."
  }),
  code: Schema.optionalKey(text(1, 100)).annotate({ description: "error.code of the response." }),
  method: Schema.optionalKey(Schema.Literals(["GET", "POST", "PATCH", "PUT", "DELETE", "HEAD"])).annotate({
    description: "Method of the request."
  }),
  route: Schema.optionalKey(text(1, 200)).annotate({
    description: "A route in the form of the documentation, such as /v1/messages/{message_id}."
  }),
  api_key_id: Schema.optionalKey(Schema.String).annotate({ description: "Id of the calling key." }),
  request_id: Schema.optionalKey(Schema.String).annotate({ description: "The request with this id." }),
  trace_id: Schema.optionalKey(text(1, 64)).annotate({ description: "Requests of this trace." }),
  created_after: Schema.optionalKey(TimestampInput).annotate({ description: "Requests after this instant; RFC 3339." }),
  created_before: Schema.optionalKey(TimestampInput).annotate({
    description: "Requests before this instant; RFC 3339."
  })
}

const page = pageOf(RequestLog)

/** A page of the log, with the number of requests of its time that are not in it. */
const RequestLogPage = Schema.Struct({
  ...page.fields,
  not_kept: Schema.Struct({
    sampled: Schema.Int.annotateKey({ description: "Number of successful reads left out above their logging rate." }),
    dropped: Schema.Int.annotateKey({ description: "Number of requests that did not fit into the log." })
  }).annotateKey({
    description: "Requests that are not in the log, by whole hours between created_after and created_before."
  })
})

const reading: OperationTraits = {
  scopes: ["logs:read"],
  rate: "read",
  validation: InvalidRequestLogsQuery.code
}

/** Routes of the log of finished requests of the calling key's environment. gaps-1 C "Scope catalog" */
export class RequestLogsApi extends HttpApiGroup.make("requestLogs")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: requestLogsQuery,
      success: RequestLogPage,
      error: [InvalidRequestLogsQuery.wire, InvalidCursor.wire]
    })
      .annotate(Traits, { ...reading, strictQuery: true })
      .annotate(OpenApi.Summary, "List requests")
      .annotate(
        OpenApi.Description,
        "Newest first, about a second after the response. The log leaves out requests for itself and requests without a known key."
      ),
    HttpApiEndpoint.get("get", "/:request_id", {
      params: { request_id: pathId("req") },
      success: RequestLogDetail,
      error: RequestLogNotFound.wire
    })
      .annotate(Traits, reading)
      .annotate(OpenApi.Summary, "Read a request")
      .annotate(OpenApi.Description, "Returns a request with its path, query and bodies, without secrets.")
  )
  .prefix("/v1/request-logs")
  .annotate(OpenApi.Title, "Request logs")
  .annotate(OpenApi.Description, "Requests of your keys and their responses.") {}
