import { ChatappCredentialsInvalid } from "@carteiro/schema/provider-connections/ProviderConnectionErrors.ts"

/** Returns the refusal of an account whose messages the platform does not send here. U-CON-01 */
export const subscriptionRefused = (
  param: string,
  details?: { readonly provider_connection_id: string }
): ChatappCredentialsInvalid =>
  new ChatappCredentialsInvalid({
    param,
    ...(details === undefined ? undefined : { details }),
    message:
      "The platform refuses to send this account's messages here; give our app the permission to manage the account, then complete the pending connection."
  })
