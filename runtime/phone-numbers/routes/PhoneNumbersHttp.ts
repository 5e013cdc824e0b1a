import { Cursors, idPage, listPage, pageReply, pageSize } from "@carteiro/http-edge/Paging.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import { PhoneNumberNotFound } from "@carteiro/schema/phone-numbers/PhoneNumberErrors.ts"
import { PhoneNumbersApi } from "@carteiro/schema/phone-numbers/PhoneNumbersApi.ts"
import { Effect } from "effect"
import { MeterPrices } from "../../billing/Billing.ts"
import { NumberDirectory } from "../number/NumberDirectory.ts"
import { NumberReads } from "../number/NumberReads.ts"
import { NumberActions } from "./NumberActions.ts"
import { NumberImport } from "./NumberImport.ts"
import { regionsAfter } from "./Regions.ts"

/** The meter of a rented number's month. gaps-3 E "Rate card seed" */
const rentalMeter = "phone.rental.month"

/** Routes of `/v1/phone-numbers`. M-PHN-41..56, M-TRF-01..08, gaps-2 K */
export const PhoneNumbersHttp = Routes.group(
  PhoneNumbersApi,
  Effect.gen(function* () {
    const actions = yield* NumberActions
    const imports = yield* NumberImport
    const reads = yield* NumberReads
    const repo = yield* NumberDirectory
    const prices = yield* MeterPrices
    const cursors = yield* Cursors

    return Routes.handlers(PhoneNumbersApi, {
      regions: Effect.fnUntraced(function* ({ caller, now, operation, query, traceId }) {
        const scope = caller.environment_id
        const [after] =
          query.starting_after === undefined ? [] : yield* cursors.decode(operation, scope, query.starting_after)
        const size = pageSize(query.limit)
        const fee = yield* prices.unitPrice(rentalMeter, now)
        const page = yield* listPage(
          scope,
          regionsAfter(after, size + 1, caller.environment, fee),
          size,
          (region) => region,
          ({ id }) => cursors.encode(operation, scope, [id])
        )
        return pageReply({ traceId }, page)
      }),
      list: Effect.fnUntraced(function* (request) {
        const { caller, now, operation, query } = request
        const { limit, starting_after, ...filters } = query
        const scope = caller.environment_id
        const page = yield* idPage(
          { cursors, route: operation, scope, after: starting_after, size: pageSize(limit) },
          (before, count) =>
            Effect.flatMap(repo.walk(scope, filters, before, count), ({ rows, walked_to }) =>
              Effect.map(reads.entries(caller, rows, now), (entries) => ({ rows: entries, walked_to }))
            ),
          (entry) => entry
        )
        return pageReply(request, page)
      }),
      get: Effect.fnUntraced(function* (request) {
        const { phone_number_id } = request.params
        const found = parseId("pn", phone_number_id)
          ? yield* reads.find(request.caller, phone_number_id, request.now)
          : undefined
        return reply(request, 200, found ?? (yield* new PhoneNumberNotFound()))
      }),
      connect: (request) => actions.connect(request, request.body),
      importNumprov: (request) => imports.import(request, request.body),
      release: (request) => actions.release(request, request.params.phone_number_id),
      disconnect: (request) => actions.disconnect(request, request.params.phone_number_id),
      convert: (request) => actions.convert(request, request.params.phone_number_id),
      transfer: (request) => actions.transfer(request, request.params.phone_number_id, request.body)
    })
  })
)
