import { Context } from "effect"

/**
 * Returns the page on which a cardholder authenticates a charge, by its secret; undefined when the processor has no
 * page of its own. C-PKG-13
 */
export const CardAuthentication = Context.Reference<(clientSecret: string) => string | undefined>(
  "@carteiro/runtime/billing/cards/CardAuthentication",
  { defaultValue: () => () => undefined }
)
