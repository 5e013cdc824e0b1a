import { Cursors, listPage, pageReply, pageSize } from "@carteiro/http-edge/Paging.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { RateCardNotFound } from "@carteiro/schema/billing/BillingErrors.ts"
import { type RateCard, RateCardsApi } from "@carteiro/schema/billing/RateCard.ts"
import { formatBrlOrNull, formatRate } from "@carteiro/schema/conventions/Money.ts"
import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import { Effect } from "effect"
import { RateCardRepo, type RateCardRow } from "./RateCardRepo.ts"

/** The scope of a list's cursor: rate cards are common to all callers, so every caller may use it. */
const scope = "rate-cards"

/** The routes of rate cards. C-RATE-02..05 */
export const RateCardsHttp = Routes.group(
  RateCardsApi,
  Effect.gen(function* () {
    const repo = yield* RateCardRepo
    const cursors = yield* Cursors
    return Routes.handlers(RateCardsApi, {
      list: Effect.fnUntraced(function* (request) {
        const { operation, query } = request
        const after = query.starting_after
        const [before] = after === undefined ? [] : yield* cursors.decode(operation, scope, after)
        const size = pageSize(query.limit)
        const rows = yield* repo.list(before === undefined ? undefined : Number(before), size + 1)
        const cursorAfter = (last: RateCardRow) => cursors.encode(operation, scope, [String(last.effective_from)])
        return pageReply(request, yield* listPage(scope, rows, size, readCard, cursorAfter))
      }),
      current: Effect.fnUntraced(function* (request) {
        const card = yield* repo.at(request.now)
        return reply(request, 200, readCard(card ?? (yield* new RateCardNotFound())))
      })
    })
  })
)

const readCard = ({ effective_from, effective_to, entries, id, name }: RateCardRow): RateCard => ({
  id,
  object: "rate_card",
  name,
  currency: "brl",
  effective_from: formatTimestamp(effective_from),
  effective_to: formatTimestampOrNull(effective_to),
  entries: entries.map(({ display_name, meter_id, multiplier_applies, rate, unit, unit_price }) => ({
    id: `${id}.${meter_id}`,
    object: "rate_card_entry",
    meter_id,
    display_name,
    unit,
    pricing: rate === null ? "per_unit" : "percentage",
    unit_price_brl: formatBrlOrNull(unit_price),
    rate: rate === null ? null : formatRate(rate),
    multiplier_applies
  }))
})
