import { formatBrl, formatBrlOrNull, parseBrl } from "@carteiro/schema/conventions/Money.ts"
import { label } from "@carteiro/schema/conventions/Text.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { walkOn } from "@carteiro/tables/BoundedWalk.ts"
import { Clock, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Corrections } from "../../billing/Billing.ts"
import { AccountDirectory, LedgerAudit, ProviderAudit } from "../../billing/Operator.ts"
import { recordChange } from "../kit/Audited.ts"
import { print, table } from "../kit/Output.ts"
import { foundOrganization, limit, organization, orUndefined } from "../kit/Parameters.ts"

/** C-LED-12..14 */
const environment = Flag.Literals("environment", ["sandbox", "production"]).pipe(
  Flag.withDescription("Entries of exactly this environment"),
  Flag.optional
)
const source = Flag.Literals("source", ["usage", "credit_topup", "payment_fee_hold"]).pipe(
  Flag.withDescription("Entries of this source only"),
  Flag.optional
)

const list = Command.make("list", { organization, limit, environment, source }, (asked) =>
  Effect.gen(function* () {
    const { limit, organization } = asked
    const { id } = yield* foundOrganization(organization)
    const filter = { environment: orUndefined(asked.environment), source_type: orUndefined(asked.source) }
    const accounts = yield* AccountDirectory
    const rows = yield* walkOn(limit, (before, count) => accounts.entries(id, filter, before, count))
    const data = rows.map((row) => ({
      id: row.id,
      recorded_at: formatTimestamp(row.recorded_at),
      type: row.type,
      amount_brl: formatBrl(row.amount),
      meter_id: row.meter_id,
      source_id: row.source_id,
      uncollected_brl: formatBrlOrNull(row.uncollected)
    }))
    const cells = data.map(({ amount_brl, meter_id, recorded_at, source_id, type }) => [
      recorded_at,
      type,
      amount_brl,
      meter_id ?? "",
      source_id
    ])
    yield* print({ data }, table(["recorded_at", "type", "amount_brl", "meter_id", "source_id"], cells, "no entries"))
  })
).pipe(Command.withDescription("List an organization's ledger, newest first"))

const amount = Argument.String("amount").pipe(
  Argument.withDescription("BRL with up to four decimals, such as 25.50"),
  Argument.filterMap(
    (text) => Option.filter(Option.fromUndefinedOr(parseBrl(text)), (units) => units > 0),
    () => "Expected an amount above zero with up to four decimals, such as 25.50"
  )
)
const reason = Flag.String("reason").pipe(
  Flag.withDescription("Why; it is kept with the correction"),
  Flag.withSchema(label(1, 500))
)

/** How long a command waits for a running node, and how often it looks. */
const waitMs = 10_000
const lookEveryMs = 100

const correction = (type: "credit" | "debit", about: string) =>
  Command.make(type, { organization, amount, reason }, ({ amount, organization, reason }) =>
    Effect.gen(function* () {
      const { id: account } = yield* foundOrganization(organization)
      const corrections = yield* Corrections
      const now = yield* Clock.currentTimeMillis
      const id = yield* corrections.ask(account, { type, amount, source: "manual", reason }, now)
      if (id === undefined) return yield* Effect.fail(new Error("The organization has no account."))
      yield* recordChange(account, {
        action: type === "credit" ? "billing.credit_added" : "billing.credit_taken_back",
        subject: id,
        after: { amount_brl: formatBrl(amount) }
      })
      let isPosted = false
      for (let waited = 0; waited < waitMs && !isPosted; waited += lookEveryMs) {
        yield* Effect.sleep(lookEveryMs)
        isPosted = yield* corrections.isPosted(account, id)
      }
      const balance = yield* (yield* AccountDirectory).balance(account)
      const shown = {
        id,
        type,
        amount_brl: formatBrl(amount),
        posted: isPosted,
        balance_brl: formatBrl(balance?.balance ?? 0)
      }
      const told = isPosted ? `${type} of ${shown.amount_brl} posted, balance ${shown.balance_brl}` : waiting
      yield* print(shown, told)
    })
  ).pipe(Command.withDescription(about))

const waiting = "No node has posted it yet: it is stored, and posted as soon as one runs."

const verify = Command.make("verify", {}, () =>
  Effect.gen(function* () {
    const ledger = yield* (yield* LedgerAudit).verify
    const findings = [...ledger, yield* (yield* ProviderAudit).verify]
    const cells = findings.map(({ broken, checked, invariant }) => [
      broken.length === 0 ? "ok" : "BROKEN",
      String(checked),
      broken.length === 0 ? invariant : `${invariant}: ${broken.join(", ")}`
    ])
    yield* print({ data: findings }, table(["", "checked", "invariant"], cells, "nothing to check"))
    if (findings.some(({ broken }) => broken.length > 0))
      return yield* Effect.fail(new Error("An invariant of the ledger does not hold."))
  })
).pipe(
  Command.withDescription(
    "Prove the invariants of the ledger and compare charges with their providers; repairs nothing"
  )
)

/** The ledger for operators. gaps-3 D "Invariants", "production_blocked" */
export const ledger = Command.make("ledger").pipe(
  Command.withSubcommands([
    list,
    correction("credit", "Add credit by hand; a balance above zero ends the credit block"),
    correction("debit", "Take credit back by hand; a balance of zero or less blocks production"),
    verify
  ])
)
