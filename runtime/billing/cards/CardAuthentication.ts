import { Context } from "effect"

/**
 * Where a cardholder proves who they are, by the secret of the charge; undefined where the processor has no such page of its
 * own. C-PKG-13
 */
export const CardAuthentication = Context.Reference<(clientSecret: string) => string | undefined>(
  "@carteiro/runtime/billing/cards/CardAuthentication",
  { defaultValue: () => () => undefined }
)
