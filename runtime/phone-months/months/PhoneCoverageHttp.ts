import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { PhoneCoverageApi } from "@carteiro/schema/phone-months/PhoneCoverageApi.ts"
import { Effect } from "effect"
import { CoverageReads } from "./CoverageReads.ts"

/** The operation of people that reads the months of imported numbers. Decision 0155 */
export const PhoneCoverageHttp = Routes.group(
  PhoneCoverageApi,
  Effect.map(CoverageReads, (coverage) =>
    Routes.handlers(PhoneCoverageApi, {
      all: ({ caller, now, traceId }) =>
        Effect.map(coverage.all(caller, now), ({ rows, summary }) =>
          reply({ traceId }, 200, { object: "list", data: rows.map(({ body }) => body), summary })
        )
    })
  )
)
