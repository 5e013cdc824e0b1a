import type { AgenticAuthorization, AuthorizationStatus } from "@carteiro/schema/payments/AgenticAuthorization.ts"
import type { AgenticPayment } from "@carteiro/schema/payments/AgenticPayment.ts"
import { formatReais } from "@carteiro/spellings/Reais.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { say, statusWord } from "../kit/Language.ts"
import { badge, instant, none, personText, type Table, type Tone, table } from "../kit/Parts.ts"

export const authorizationsAddress = "/dashboard/agentic-authorizations"

const authorizationTones: Readonly<Record<AuthorizationStatus, Tone>> = {
  pending: "info",
  authorized: "good",
  rejected: "bad",
  revoked: "plain",
  expired: "plain"
}

/** Where an authorization stands. */
export const authorizationBadge = (status: AuthorizationStatus): Html =>
  badge(statusWord("authorization", status), authorizationTones[status])

const paymentTones: Readonly<Record<AgenticPayment["status"], Tone>> = {
  processing: "info",
  paid: "good",
  failed: "bad"
}

/** Authorizations, each leading to its page. */
export const authorizationTable = (
  environmentId: string,
  rows: ReadonlyArray<AgenticAuthorization>,
  nothing: Piece
): Table =>
  table(
    "Agentic authorizations, newest first",
    ["Customer", "Status", "Up to", "Bank", "Good until", "Created"],
    rows.map((row) => [
      personText(html`<a href="${authorizationsAddress}/${environmentId}/${row.id}">${row.customer_name}</a>`),
      authorizationBadge(row.status),
      formatReais(row.max_amount_brl),
      row.bank_id,
      instant(row.expires_at),
      instant(row.created_at)
    ]),
    nothing
  )

/** The payments by one authorization. */
export const agenticPaymentTable = (rows: ReadonlyArray<AgenticPayment>): Html =>
  table(
    "Agentic payments, newest first",
    ["Payment", "Status", "Amount", "Fees", "What for", "Created"],
    rows.map(({ amount_brl, created_at, description, error_code, fees, id, status }) => [
      html`<code>${id}</code>`,
      html`${badge(statusWord("payment", status), paymentTones[status])}${error_code !== null && html` ${none(html`${error_code}`)}`}`,
      formatReais(amount_brl),
      fees === null
        ? none("none")
        : html`${formatReais(fees.initiation.amount_brl)}, then ${formatReais(fees.completion.amount_brl)} ${statusWord("fee", fees.completion.state)}`,
      description === null ? none("not said") : personText(description),
      instant(created_at)
    ]),
    say("Nothing was paid by it yet.")
  )
