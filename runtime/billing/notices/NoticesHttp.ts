import { callingMember } from "@carteiro/http-edge/Admission.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { type BillingNotice, NoticesApi } from "@carteiro/schema/billing/NoticesApi.ts"
import { formatBrlOrNull } from "@carteiro/schema/conventions/Money.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { Effect } from "effect"
import { NoticeRepo, type OpenNotice } from "./NoticeRepo.ts"
import { dismissNotice } from "./NoticeWrites.ts"

/** Operations of people about notices; a dismissal removes one for all members. gaps-3 E "Failure notification", decision 0155 */
export const NoticesHttp = Routes.group(
  NoticesApi,
  Effect.gen(function* () {
    const repo = yield* NoticeRepo
    const commit = yield* Commit

    return Routes.handlers(NoticesApi, {
      list: ({ caller, traceId }) =>
        Effect.map(repo.open(caller.organization_id), (notices) =>
          reply({ traceId }, 200, { object: "list", data: notices.map(readNotice) })
        ),

      dismiss: Effect.fnUntraced(function* ({ caller, params, realNow, traceId }) {
        const { notice_id: id } = params
        const { organization_id } = caller
        const dismissed_by = callingMember(caller).id
        yield* commit.write([dismissNotice.row({ organization_id, id, dismissed_at: realNow, dismissed_by })])
        return reply({ traceId }, 200, { id, object: "billing_notice" })
      })
    })
  })
)

const readNotice = ({ amount, created_at, ...notice }: OpenNotice): BillingNotice => ({
  ...notice,
  object: "billing_notice",
  amount_brl: formatBrlOrNull(amount),
  created_at: formatTimestamp(created_at)
})
