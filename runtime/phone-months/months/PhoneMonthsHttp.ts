import { Cursors, idPage, listPage, pageReply, pageSize } from "@carteiro/http-edge/Paging.ts"
import { withHeader } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { PhoneMonthsApi } from "@carteiro/schema/phone-months/PhoneMonthsApi.ts"
import { Effect } from "effect"
import { NumberDirectory, NumberReads } from "../../phone-numbers/PhoneNumbers.ts"
import { CoverageReads, type ListedCoverage } from "./CoverageReads.ts"

/** The date from which the renewal list is deprecated, as RFC 9745 writes it: 2026-01-01. */
const deprecatedSince = "@1767225600"
/** The route that shows these data instead, for the header `Link`. */
const successor = '</v1/phone-numbers>; rel="successor-version"'

/** Routes that read numbers' months; none of them changes a number. C-PMGT-01..25 */
export const PhoneMonthsHttp = Routes.group(
  PhoneMonthsApi,
  Effect.gen(function* () {
    const coverage = yield* CoverageReads
    const numbers = yield* NumberDirectory
    const reads = yield* NumberReads
    const cursors = yield* Cursors

    return Routes.handlers(PhoneMonthsApi, {
      management: Effect.fnUntraced(function* (request) {
        const { caller, now, operation, query } = request
        const scope = caller.environment_id
        const after =
          query.starting_after === undefined ? undefined : yield* cursors.decode(operation, scope, query.starting_after)
        const { rows, summary } = yield* coverage.all(caller, now)
        const size = pageSize(query.limit)
        const page = yield* listPage(
          scope,
          (after === undefined ? rows : rows.filter((row) => isBehind(row, after))).slice(0, size + 1),
          size,
          ({ body }) => body,
          (last) => cursors.encode(operation, scope, [String(last.enrolled_at), last.enrollment_id])
        )
        return pageReply(request, page, { summary })
      }),
      renewal: Effect.fnUntraced(function* (request) {
        const { caller, now, operation, query } = request
        const scope = caller.environment_id
        const isRented = caller.environment === "production"
        const page = yield* idPage(
          { cursors, route: operation, scope, after: query.starting_after, size: pageSize(query.limit) },
          (before, count) =>
            isRented
              ? Effect.flatMap(numbers.list(scope, { source: "numprov" }, before, count), (rows) =>
                  reads.entries(caller, rows, now)
                )
              : Effect.succeed([]),
          ({ id, phone, renewal }) => ({ id, object: "phone_renewal", phone_number_id: id, phone, renewal })
        )
        const answer = pageReply(request, page)
        return withHeader(withHeader(answer, "deprecation", deprecatedSince), "link", successor)
      })
    })
  })
)

/** True when a row comes after a position of the list, newest enrollment first. */
const isBehind = (row: ListedCoverage, [enrolledAt, id = ""]: ReadonlyArray<string>): boolean =>
  row.enrolled_at < Number(enrolledAt) || (row.enrolled_at === Number(enrolledAt) && row.enrollment_id < id)
