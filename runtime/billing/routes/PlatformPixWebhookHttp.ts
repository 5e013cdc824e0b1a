import { Context, Effect, Layer } from "effect"
import { type PlatformSecrets, platformSigned, providerWebhook } from "../../vendor-webhooks/ProviderWebhooks.ts"
import { chargeWork } from "./CardWebhookHttp.ts"

/** The secrets that may sign Pix provider 2's calls about the service's own account; without one all are refused. */
export const PlatformPixWebhookSecrets = Context.Reference<PlatformSecrets>(
  "@carteiro/runtime/billing/routes/PlatformPixWebhookSecrets",
  { defaultValue: () => [] }
)

/** POST /webhooks/pixprov2/platform: notices about Pix charges of accounts. gaps-3 G "Inbound provider webhooks" */
export const PlatformPixWebhookHttp = Layer.unwrap(
  Effect.map(PlatformPixWebhookSecrets, (secrets) =>
    providerWebhook({
      operation: "pixprov2_platform_webhook.take",
      path: "/webhooks/pixprov2/platform",
      vendor: "pixprov2",
      signedBy: () => Effect.succeed(platformSigned(secrets)),
      work: chargeWork("pix")
    })
  )
)
