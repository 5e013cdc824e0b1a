import { Context, type Redacted } from "effect"

/**
 * The secrets that the platform shares with our receiver; without one the receiver takes nothing. gaps-2 E "Who calls
 * the upstream"
 */
export interface WebhookSecrets {
  readonly appSecret: Redacted.Redacted | undefined
  readonly verifyToken: Redacted.Redacted | undefined
}

/** The secrets of this process. */
export const WebhookSecrets = Context.Reference<WebhookSecrets>(
  "@carteiro/runtime/provider-connections/webhook/WebhookSecrets",
  { defaultValue: () => ({ appSecret: undefined, verifyToken: undefined }) }
)
