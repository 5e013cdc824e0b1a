import { Schema, Struct } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Traits } from "../conventions/Access.ts"
import { rowsOf, rowsQuery } from "../conventions/Page.ts"
import { RequestLog, requestLogsQuery } from "./RequestLog.ts"
import { InvalidRequestLogsQuery } from "./RequestLogErrors.ts"

/** The request log as people download it. Decision 0155 */
export class RequestLogLookupsApi extends HttpApiGroup.make("requestLogLookups")
  .add(
    HttpApiEndpoint.get("lines", "/lines", {
      query: { ...rowsQuery, ...Struct.omit(requestLogsQuery, ["limit", "starting_after"]) },
      success: Schema.Struct({
        ...rowsOf(RequestLog).fields,
        /** The id at which the walk ended before the list did; null when no row is left beyond it. */
        walked_to: Schema.NullOr(Schema.String)
      }),
      error: InvalidRequestLogsQuery.wire
    }).annotate(Traits, {
      authentication: "person",
      scopes: ["logs:read"],
      rate: "read",
      validation: InvalidRequestLogsQuery.code
    })
  )
  .prefix("/people/request-logs") {}
