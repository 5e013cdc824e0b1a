import type { ListedTopup } from "@carteiro/schema/billing/CreditTopup.ts"
import type { LedgerEntry } from "@carteiro/schema/billing/LedgerEntry.ts"
import type { ListedPaymentMethod } from "@carteiro/schema/billing/PaymentMethod.ts"
import type { StatementLine, UsageLine } from "@carteiro/schema/billing/StatementsApi.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { formatReais } from "@carteiro/spellings/Reais.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { contractWord, dottedWord, say, statusWord } from "../kit/Language.ts"
import { addressOf } from "../kit/Lists.ts"
import type { NumberLink } from "../kit/NumberLinks.ts"
import { badge, instant, none, personText, type Table, type Tone, table } from "../kit/Parts.ts"

export const billingAddress = "/dashboard/billing"

/** The pages of billing beside the first. */
export const billingMenu: Html = html`<nav class="buttons pager" aria-label="Billing">
<a class="button primary" href="${billingAddress}/top-up">Add credit</a>
<a class="button" href="${billingAddress}/cards">Cards and automatic top-up</a>
<a class="button" href="${billingAddress}/plan">Plan</a>
<a class="button" href="${billingAddress}/statement">Statements</a>
</nav>`

/** Back to the first page. */
export const upToBilling = [billingAddress, "Billing"] as const

const topupTones: Readonly<Record<ListedTopup["status"], Tone>> = {
  pending: "info",
  succeeded: "good",
  failed: "bad",
  refunded: "warn",
  expired: "plain"
}

export const topupBadge = (status: ListedTopup["status"]): Html =>
  badge(statusWord("topup", status), topupTones[status])

/** Whether a refusal is told on the page of the form: also that nothing is set up to pay with. */
export const saidRefusal = ({ _tag, status }: ApiError): boolean =>
  status < 500 || _tag === "billing_provider_not_configured"

/** Top-ups, each leading to its own page. */
export const topupTable = (topups: ReadonlyArray<ListedTopup>): Html =>
  table(
    "Top-ups, newest first",
    ["Top-up", "Status", "Amount", "Paid by", "Messages left"],
    topups.map((topup) => [
      html`<a href="${billingAddress}/top-up/${topup.id}">${topup.package_code ?? contractWord(topup.kind)}</a>`,
      topupBadge(topup.status),
      formatReais(topup.amount_brl),
      contractWord(topup.payment_method),
      (topup.status === "succeeded" && topup.quota_remaining) || none("none")
    ]),
    say("Nothing has been topped up yet.")
  )

/** Returns what credit was moved for, in words, with the way to it: the search knows the page of each id. */
export const thingOf = (words: Html, id: string | null): Html =>
  personText(id === null ? words : html`<a href="${addressOf("/dashboard/search", { open: "1", q: id })}">${words}</a>`)

/** Movements of the credit, each with what it is about. */
export const movementTable = (rows: ReadonlyArray<typeof LedgerEntry.Type>, nothing: Piece): Table =>
  table(
    "Movements, newest first",
    ["When", "What", "Amount", "Of", "Not covered"],
    rows.map((row) => [
      instant(row.recorded_at),
      contractWord(row.type),
      `${row.type === "credit" || row.type === "release" ? "+" : "−"}${formatReais(row.amount_brl)}`,
      thingOf(
        row.meter_id === null ? contractWord(row.source_type) : dottedWord(row.meter_id),
        row.payment_fee?.id ?? row.source_id
      ),
      Number(row.uncollected_brl ?? 0) === 0 ? none("none") : formatReais(row.uncollected_brl ?? 0)
    ]),
    nothing
  )

/** Usage by meter and number, the costliest first; numbers by the names that people gave them. */
export const usageTable = (lines: ReadonlyArray<UsageLine>, numberLink: NumberLink, nothing: Piece): Html =>
  table(
    "Usage by meter and number, the costliest first",
    ["Meter", "Number", "Units", "Cost"],
    lines.map(({ amount_brl, meter_id, phone_number_id, quantity }) => [
      dottedWord(meter_id),
      phone_number_id === null ? none("none") : numberLink(phone_number_id),
      quantity,
      formatReais(amount_brl)
    ]),
    nothing
  )

/** A line of a statement for people. */
export const lineName = ({ meter_id, rail, source_type, type }: StatementLine): Piece => {
  if (type === "hold") return say("Set aside for payments under way")
  if (type === "release") return say("Given back from what was set aside")
  if (source_type === "credit_topup") {
    const by = rail?.replace("funding:", "") ?? "unknown"
    return type === "credit" ? html`Top-up, ${contractWord(by)}` : html`Refund, ${contractWord(by)}`
  }
  return meter_id === null ? say("Usage") : dottedWord(meter_id)
}

/** A card as people know it. */
export const cardName = ({
  brand,
  exp_month,
  exp_year,
  last4
}: Pick<ListedPaymentMethod, "brand" | "exp_month" | "exp_year" | "last4">): Html => {
  const expires = exp_month === null || exp_year === null ? "" : `, ${String(exp_month).padStart(2, "0")}/${exp_year}`
  return html`${brand ?? say("Card")} ending in ${last4 ?? say("unknown")}${expires}`
}
