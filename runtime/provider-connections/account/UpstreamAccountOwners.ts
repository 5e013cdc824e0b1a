import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { type AccountNotice, UpstreamNotices } from "@carteiro/provider/ChatNotices.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { jsonText, readJson, readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect } from "effect"
import { FlowReports } from "../../flows/Flows.ts"
import { pacingChanges } from "../../messages/Messages.ts"
import { NumberDirectory, numberChanges } from "../../phone-numbers/PhoneNumbers.ts"
import { TemplatesEntity } from "../../templates/Templates.ts"
import { type ToldCall, vendorOwners } from "../../vendor-webhooks/VendorOwners.ts"
import { loseConnection } from "../connection/ConnectionWrites.ts"
import { accountChange, departureOf, inOrder } from "./AccountChange.ts"
import { type AccountConnection, AccountRepo, tellAccount } from "./AccountRepo.ts"
import { ignoredRows } from "./IgnoredNotices.ts"
import { UpstreamAccountWorker } from "./UpstreamAccountWorker.ts"

/** Hosts the owners: each notice goes to the room that it concerns, in every environment connected to the account. */
export const upstreamAccountOwners = vendorOwners(
  UpstreamAccountWorker,
  Effect.gen(function* () {
    const read = yield* UpstreamNotices
    const accounts = yield* AccountRepo
    const numbers = yield* NumberDirectory
    const commit = yield* Commit
    const ids = yield* Ids
    const flows = yield* FlowReports
    const templates = yield* TemplatesEntity.client

    const write = (rows: ReadonlyArray<Row>) =>
      rows.length === 0 ? Effect.void : Effect.asVoid(Effect.orDie(commit.write(rows)))

    const review = (connections: ReadonlyArray<AccountConnection>, notice: TemplateNotice) =>
      Effect.forEach(
        connections,
        ({ environment_id }) =>
          Effect.orDie(templates.Review(environment_id, { ...reviewOf(notice), trace_id: ids.traceId() })),
        { discard: true }
      )

    const tellNumbers = Effect.fnUntraced(function* (account: string, notice: NumberNotice, at: number) {
      const digits = notice.kind === "account_limit" ? undefined : notice.display_phone_number.replace(/\D/g, "")
      const told = yield* numbers.ofAccount(account, digits)
      yield* write(
        told.flatMap(({ environment_id, id }): ReadonlyArray<Row> => {
          const place = { environment_id, id, updated_at: at }
          if (notice.kind === "phone_name") return [numberChanges.reportName({ ...place, ...nameReview(notice, at) })]
          // A changed allowance may release held messages. gaps-2 D "How pacing holds and releases"
          return [
            numberChanges.reportQuality({
              ...place,
              quality_rating: (notice.kind === "phone_quality" && notice.quality) || null,
              messaging_limit_tier: notice.messaging_limit_tier,
              messaging_tier: notice.messaging_limit_tier?.toLowerCase() ?? null,
              upstream_throughput_tier: notice.kind === "phone_quality" ? notice.throughput_tier : null
            }),
            pacingChanges.hasten({ environment_id, business_id: id, due_at: at })
          ]
        })
      )
      yield* write(portfolioRows(notice, told, at))
    })

    const tell = (
      account: string,
      connections: ReadonlyArray<AccountConnection>,
      notice: AccountNotice,
      at: number
    ) => {
      switch (notice.kind) {
        case "template_status":
        case "template_quality":
        case "template_category":
          return review(connections, notice)
        case "account_limit":
        case "phone_quality":
        case "phone_name":
          return tellNumbers(account, notice, at)
        case "flow_status":
          return write(
            connections.map(({ environment_id }) => flows.notice(environment_id, notice.provider_flow_id, at))
          )
        case "account":
          return write(connections.map((connection) => told(connection, account, notice, at)))
        // Counted for all of the call together.
        case "other":
          return Effect.void
      }
    }

    return Effect.fnUntraced(function* ({ body, id, received_at, subject }: ToldCall) {
      const notices = read(body).accounts.get(subject) ?? []
      const ignored = notices.filter((notice) => notice.kind === "other")
      yield* write(ignoredRows(subject, ignored, { id, at: received_at }))
      const connections = yield* accounts.live(subject)
      yield* Effect.forEach(notices, (notice) => tell(subject, connections, notice, received_at), { discard: true })
    })
  })
)

type TemplateNotice = Extract<AccountNotice, { readonly kind: `template_${string}` }>
type NumberNotice = Extract<AccountNotice, { readonly kind: "account_limit" | "phone_quality" | "phone_name" }>

/**
 * Returns the rows that give a reported limit to the portfolios of these numbers: the limit of a business holds for all
 * its accounts. U-LIM-02
 */
const portfolioRows = (
  notice: NumberNotice,
  numbers: ReadonlyArray<{ readonly portfolio_id: string | null }>,
  updated_at: number
): ReadonlyArray<Row> => {
  if (notice.kind === "phone_name" || !notice.is_portfolio_limit) return []
  const portfolios = new Set(numbers.flatMap(({ portfolio_id }) => (portfolio_id === null ? [] : [portfolio_id])))
  const { messaging_limit_tier } = notice
  return [...portfolios].map((portfolio_id) =>
    numberChanges.reportPortfolio({ portfolio_id, messaging_limit_tier, updated_at })
  )
}

const reviewOf = (notice: TemplateNotice) => {
  const { language, name, provider_template_id } = notice
  const named = { provider_template_id, name: name === "" ? null : name, language: language === "" ? null : language }
  const item = { ...named, decision: null, reason: null, quality: null }
  if (notice.kind === "template_quality") return { ...item, quality: notice.quality }
  if (notice.kind === "template_category") return { ...item, category: notice.category }
  const { reason, status } = notice
  if (status === "orphaned") return { ...item, orphaned: true }
  return { ...item, decision: status === undefined || status === "submitted" ? null : status, reason }
}

const nameReview = (notice: Extract<NumberNotice, { readonly kind: "phone_name" }>, at: number) => {
  const { decision, name, reason } = notice
  const pending = decision === "pending"
  return {
    verified_name: decision === "approved" ? name : null,
    pending_name_review: pending ? jsonText({ name, submitted_at: formatTimestamp(at) }) : null,
    name_review: pending ? null : jsonText({ name, decision, reason, decided_at: formatTimestamp(at) })
  }
}

const told = (
  { biz_account_send_capabilities, environment_id, id, notice_times }: AccountConnection,
  account: string,
  notice: Extract<AccountNotice, { readonly kind: "account" }>,
  at: number
): Row => {
  const departure = departureOf(notice.event)
  if (departure !== undefined) {
    const left_at = Math.min(notice.at ?? at, at)
    return loseConnection.row({ environment_id, id, disconnected_at: at, suspension_reason: departure, left_at })
  }
  // Calls may come in another order than what they tell happened; a clock that is ahead holds nothing back.
  const told_at = notice.at === null ? null : Math.min(notice.at, at)
  const { change, times } = inOrder(
    accountChange(notice, account, formatTimestamp(at)),
    told_at,
    readJsonOrNull(notice_times) ?? {}
  )
  const known = readJson(biz_account_send_capabilities)
  const { capability } = change
  return tellAccount.row({
    environment_id,
    id,
    status: change.status,
    suspension_reason: change.suspension_reason,
    biz_account_ban_state: change.ban_state,
    biz_account_ban_date: change.ban_date,
    last_policy_warning_type: change.policy_warning,
    last_policy_warning_at: change.policy_warning === null ? null : at,
    account_review_status: change.review_status,
    restrictions: change.restrictions,
    biz_account_send_capabilities:
      capability === null ? null : jsonText([...known.filter((entry) => entry.biz_account_id !== account), capability]),
    notice_times: jsonText(times),
    updated_at: at
  })
}
