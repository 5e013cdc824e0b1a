import { Context, type Redacted } from "effect"

/**
 * The secrets that the platform shares with our receiver; without them the receiver takes nothing. gaps-2 E "Who calls
 * the upstream"
 */
export interface WebhookSecrets {
  /** Those that may sign the platform's calls: two while the secret is rotated. */
  readonly appSecrets: ReadonlyArray<Redacted.Redacted>
  readonly verifyToken: Redacted.Redacted | undefined
}

/** The secrets of this process. */
export const WebhookSecrets = Context.Reference<WebhookSecrets>(
  "@carteiro/runtime/provider-connections/webhook/WebhookSecrets",
  { defaultValue: () => ({ appSecrets: [], verifyToken: undefined }) }
)
