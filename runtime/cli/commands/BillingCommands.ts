import { realNow } from "@carteiro/owners/RealTime.ts"
import { formatBrl } from "@carteiro/schema/conventions/Money.ts"
import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import { Clock, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { AccountDirectory, inListOrder, monthNamed, monthsBetween } from "../../billing/Operator.ts"
import { facts, print, table } from "../kit/Output.ts"
import { foundOrganization, limit, organization, orUndefined } from "../kit/Parameters.ts"

const balance = Command.make("balance", { organization }, ({ organization }) =>
  Effect.gen(function* () {
    const { id } = yield* foundOrganization(organization)
    const wallet = yield* (yield* AccountDirectory).balance(id)
    const shown = {
      organization_id: id,
      balance_brl: formatBrl(wallet?.balance ?? 0),
      held_brl: formatBrl(wallet?.held ?? 0),
      production_blocked: wallet?.credit_blocked ?? false,
      updated_at: formatTimestampOrNull(wallet?.updated_at ?? null)
    }
    yield* print(shown, facts(shown))
  })
).pipe(Command.withDescription("Show balance, held credit and whether production is blocked"))

const topups = Command.make("topups", { organization, limit }, ({ limit, organization }) =>
  Effect.gen(function* () {
    const { id } = yield* foundOrganization(organization)
    const rows = yield* (yield* AccountDirectory).topups(id, limit)
    const data = rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      status: row.status,
      amount_brl: formatBrl(row.amount),
      payment_method: row.payment_method,
      package_code: row.package_code,
      quota_remaining: row.quota_remaining,
      decline_code: row.decline_code,
      created_at: formatTimestamp(row.created_at)
    }))
    const cells = data.map((row) => [
      row.id,
      row.status,
      row.amount_brl,
      row.payment_method,
      row.package_code ?? row.kind,
      row.created_at
    ])
    yield* print({ data }, table(["id", "status", "amount_brl", "by", "what", "created_at"], cells, "no top-ups"))
  })
).pipe(Command.withDescription("List top-ups, newest first"))

const cards = Command.make("cards", { organization }, ({ organization }) =>
  Effect.gen(function* () {
    const { id } = yield* foundOrganization(organization)
    const { auto, cards, customer } = yield* (yield* AccountDirectory).cards(id)
    const standard = customer?.default_payment_method_id ?? null
    const data = inListOrder(cards, standard).map((card) => ({
      id: card.id,
      brand: card.brand,
      last4: card.last4,
      is_default: card.id === standard
    }))
    const auto_topup = {
      enabled: auto?.enabled ?? false,
      threshold_brl: formatBrl(auto?.threshold ?? 0),
      amount_brl: formatBrl(auto?.amount ?? 0),
      payment_method_id: auto?.payment_method_id ?? null,
      last_triggered_at: formatTimestampOrNull(auto?.last_triggered_at ?? null)
    }
    const cells = data.map((card) => [card.id, card.brand ?? "", card.last4 ?? "", card.is_default ? "default" : ""])
    const text = `${table(["id", "brand", "last4", ""], cells, "no cards")}\n\nautomatic top-up\n${facts(auto_topup)}`
    yield* print({ data, auto_topup }, text)
  })
).pipe(Command.withDescription("List saved cards and how the account tops itself up"))

const plan = Command.make("plan", { organization }, ({ organization }) =>
  Effect.gen(function* () {
    const { id } = yield* foundOrganization(organization)
    const now = yield* Clock.currentTimeMillis
    const subscription = yield* (yield* AccountDirectory).subscription(id)
    const costs = yield* (yield* AccountDirectory).planCosts(id, now)
    const shown = {
      status: subscription.status,
      plan_offering_id: subscription.plan_offering_id,
      billing_rail: subscription.billing_rail,
      current_period_end: formatTimestampOrNull(subscription.current_period_end),
      cancel_at_period_end: subscription.cancel_at_period_end,
      pending_plan_offering_id: subscription.pending_plan_offering_id
    }
    const changes = costs.map(({ amount, plan, when }) => ({
      plan_offering_id: plan.id,
      monthly_fee_brl: formatBrl(plan.monthly_fee),
      when,
      charged_now_brl: formatBrl(amount)
    }))
    const cells = changes.map((change) => [
      change.plan_offering_id,
      change.monthly_fee_brl,
      change.when,
      change.charged_now_brl
    ])
    const text = `${facts(shown)}\n\n${table(["plan", "monthly_fee_brl", "when", "charged_now_brl"], cells, "no plans")}`
    yield* print({ ...shown, changes }, text)
  })
).pipe(Command.withDescription("Show the subscription and what each plan would cost now"))

const month = Flag.String("month").pipe(
  Flag.withDescription("A UTC month such as 2026-01; the present one when left out"),
  Flag.filterMap(
    (text) => Option.fromUndefinedOr(monthNamed(text)),
    () => "Expected a month such as 2026-01"
  ),
  Flag.optional
)

const statement = Command.make("statement", { organization, month }, ({ month, organization }) =>
  Effect.gen(function* () {
    const { id } = yield* foundOrganization(organization)
    const now = yield* realNow
    const [present] = monthsBetween(now, now)
    const wanted = orUndefined(month) ?? present
    if (wanted === undefined) return yield* Effect.fail(new Error("There is no such month."))
    const accounts = yield* AccountDirectory
    const { closing, lines, opening, usage } = yield* accounts.statement(id, wanted, now)
    const shown = { month: wanted.name, opening_brl: formatBrl(opening), closing_brl: formatBrl(closing) }
    const moved = lines.map(({ amount, ...line }) => ({ ...line, amount_brl: formatBrl(amount) }))
    const used = usage.map(({ amount, ...line }) => ({ ...line, amount_brl: formatBrl(amount) }))
    const cells = moved.map((line) => [
      line.type,
      line.meter_id ?? line.rail ?? line.source_type,
      line.count,
      line.amount_brl
    ])
    const uses = used.map((line) => [line.meter_id, line.phone_number_id ?? "", line.quantity, line.amount_brl])
    yield* print(
      { ...shown, lines: moved, usage: used },
      [
        facts(shown),
        table(["type", "of", "entries", "amount_brl"], cells, "nothing moved"),
        table(["meter_id", "phone_number_id", "units", "amount_brl"], uses, "nothing was used")
      ].join("\n\n")
    )
  })
).pipe(
  Command.withDescription("Show what a month came to: opening, closing, movements by kind, usage by meter and number")
)

/** An organization's credit for operators; `ledger` corrects it. C-BAL-02, C-PKG-10, C-PLAN-03 */
export const billing = Command.make("billing").pipe(Command.withSubcommands([balance, topups, cards, plan, statement]))
