import type { AutoTopupConfig } from "@carteiro/schema/billing/AutoTopup.ts"
import { formatBrl } from "@carteiro/schema/conventions/Money.ts"
import { formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { AutoTopup } from "./AutoTopup.ts"

/** Returns the automatic top-up as reads show it; before the first settings everything is off and zero. C-ATOP-01 */
export const readAutoTopup = (id: string, auto: AutoTopup | undefined): Omit<AutoTopupConfig, "trace_id"> => ({
  id,
  object: "auto_topup_config",
  enabled: auto?.enabled ?? false,
  threshold_brl: formatBrl(auto?.threshold ?? 0),
  amount_brl: formatBrl(auto?.amount ?? 0),
  payment_method_id: auto?.payment_method_id ?? null,
  last_triggered_at: formatTimestampOrNull(auto?.last_triggered_at ?? null),
  updated_at: formatTimestampOrNull(auto?.updated_at ?? null)
})
