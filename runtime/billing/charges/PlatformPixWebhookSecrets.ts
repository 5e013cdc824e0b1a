import { Context } from "effect"
import type { PlatformSecrets } from "../../vendor-webhooks/ProviderWebhooks.ts"

/** The secrets that may sign Pix provider 2's calls about the service's own account; without one all are refused. */
export const PlatformPixWebhookSecrets = Context.Reference<PlatformSecrets>(
  "@carteiro/runtime/billing/charges/PlatformPixWebhookSecrets",
  { defaultValue: () => [] }
)
