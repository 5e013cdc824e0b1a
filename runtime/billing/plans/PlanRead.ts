import type { PlanOffering } from "@carteiro/schema/billing/Plans.ts"
import { formatBrl, formatRate } from "@carteiro/schema/conventions/Money.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { type MeterPrice, unitPrice } from "../prices/Price.ts"
import type { planColumns } from "./PlanTables.ts"

/** A plan of the catalog; fees in 1/10,000 BRL, the multiplier in ten-thousandths. gaps-3 E "Plan catalog" */
export type CatalogPlan = SelectedRow<typeof planColumns>

/** Returns the price that represents the cost of a message under a plan. gaps-3 E "net_transport_rate_brl" */
export const transportPrice = (
  card: { readonly entries: ReadonlyArray<MeterPrice & { readonly meter_id: string }> } | undefined
): MeterPrice | undefined => card?.entries.find(({ meter_id }) => meter_id === "message.transport.utility")

/** Returns the terms of a plan as reads show them, at the price of the transport meter in effect. C-PLAN-07..10 */
export const readTerms = (
  terms: Pick<CatalogPlan, "max_phones" | "multiplier" | "numprov_byok_enabled" | "throughput_tier">,
  transport: MeterPrice
) => ({
  throughput_tier: terms.throughput_tier,
  max_phones: terms.max_phones,
  platform_fee_multiplier: formatRate(terms.multiplier),
  net_transport_rate_brl: formatBrl(unitPrice(transport, terms.multiplier) ?? 0),
  numprov_byok_enabled: terms.numprov_byok_enabled
})

/** Returns a plan as the catalog shows it. C-PLAN-01 */
export const readOffering = (plan: CatalogPlan, transport: MeterPrice): typeof PlanOffering.Type => ({
  id: plan.id,
  object: "plan_offering",
  code: plan.code,
  display_name: plan.display_name,
  monthly_fee_brl: formatBrl(plan.monthly_fee),
  annual_fee_brl: formatBrl(plan.annual_fee),
  currency: "brl",
  billing_rails: ["cardproc_card", "pix_annual"],
  ...readTerms(plan, transport)
})
