import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { EnvironmentKind, type OperationTraits, Traits } from "../conventions/Access.ts"
import { TraceId } from "../conventions/Ids.ts"
import { AmountBrl } from "../conventions/Money.ts"
import { rowsOf, rowsQuery } from "../conventions/Page.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { InvalidBillingQuery } from "./BillingErrors.ts"
import { LedgerEntry, LedgerSource } from "./LedgerEntry.ts"
import { StatementNotFound } from "./StatementErrors.ts"

/** The balance at the end of a day in UTC, in 1/10,000 BRL: charts draw numbers, and a balance may be below zero. */
const BalanceDay = Schema.Struct({ day: Schema.String, balance: Schema.Int })

/** What a meter was used for in a month. */
export const UsageLine = Schema.Struct({
  meter_id: Schema.String,
  /** Null for usage without a number. */
  phone_number_id: Schema.NullOr(Schema.String),
  quantity: Schema.Int,
  amount_brl: AmountBrl
})
export type UsageLine = typeof UsageLine.Type

/** The sum of one kind of movement in a month. */
export const StatementLine = Schema.Struct({
  type: Schema.Literals(["debit", "credit", "hold", "release"]),
  source_type: Schema.String,
  /** The meter of usage; null for other movements. */
  meter_id: Schema.NullOr(Schema.String),
  /** The source or destination of credit, such as `funding:card`. */
  rail: Schema.NullOr(Schema.String),
  count: Schema.Int,
  amount_brl: AmountBrl
})
export type StatementLine = typeof StatementLine.Type

/** Credit that is held now. */
export const OpenHold = Schema.Struct({
  id: Schema.String,
  meter_id: Schema.String,
  payment_id: Schema.NullOr(Schema.String),
  amount_brl: AmountBrl,
  created_at: Timestamp
})
export type OpenHold = typeof OpenHold.Type

const wallet = {
  /** Below zero where debits were not covered. */
  balance_brl: Schema.String,
  held_brl: AmountBrl,
  /** True when production is stopped because the credit is used up. */
  is_blocked: Schema.Boolean
}

const traits: OperationTraits = {
  authentication: "person",
  scopes: ["billing:read"],
  rate: "read",
  validation: InvalidBillingQuery.code,
  realTime: true
}

/** The organization's own account by month, and its movements by id. C-BAL-01..13, C-LED-01..10, decision 0155 */
export class StatementsApi extends HttpApiGroup.make("statements")
  .add(
    HttpApiEndpoint.get("standing", "/standing", {
      success: Schema.Struct({
        object: Schema.Literal("account_standing"),
        ...wallet,
        /** True when the charge of any month was not covered. */
        has_unpaid_month: Schema.Boolean,
        trace_id: TraceId
      })
    }).annotate(Traits, traits),
    HttpApiEndpoint.get("present", "/present", {
      success: Schema.Struct({
        object: Schema.Literal("account_month"),
        ...wallet,
        /** The present UTC month, such as `2026-01`. */
        month: Schema.String,
        days: Schema.Array(BalanceDay),
        usage: Schema.Array(UsageLine),
        holds: Schema.Array(OpenHold),
        trace_id: TraceId
      })
    }).annotate(Traits, traits),
    HttpApiEndpoint.get("month", "/months", {
      /** The present month where none is named. */
      query: { month: Schema.optionalKey(Schema.String) },
      success: Schema.Struct({
        object: Schema.Literal("account_statement"),
        month: Schema.String,
        /** Months that have a statement, newest first, at most twelve. */
        months: Schema.Array(Schema.String),
        is_over: Schema.Boolean,
        opening_brl: Schema.String,
        closing_brl: Schema.String,
        lines: Schema.Array(StatementLine),
        days: Schema.Array(BalanceDay),
        usage: Schema.Array(UsageLine),
        trace_id: TraceId
      }),
      error: StatementNotFound.wire
    }).annotate(Traits, traits),
    HttpApiEndpoint.get("entries", "/entries", {
      query: {
        ...rowsQuery,
        environment: Schema.optionalKey(EnvironmentKind),
        source_type: Schema.optionalKey(LedgerSource)
      },
      success: Schema.Struct({
        ...rowsOf(LedgerEntry).fields,
        /** The id beyond which the next page begins, where a bounded walk found fewer rows. */
        walked_to: Schema.NullOr(Schema.String)
      })
    }).annotate(Traits, traits),
    HttpApiEndpoint.get("entriesNamed", "/entries/named", {
      /** The id of an entry, or of what it is about: a usage record, a reservation, a top-up. */
      query: { id: Schema.String },
      success: rowsOf(LedgerEntry)
    }).annotate(Traits, traits),
    HttpApiEndpoint.get("entriesAbout", "/entries/about", {
      /** Ids of what the entries are about, with commas between them. */
      query: { ids: Schema.String },
      success: rowsOf(LedgerEntry)
    }).annotate(Traits, traits)
  )
  .prefix("/people/statements") {}
