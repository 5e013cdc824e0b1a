import { Context, Effect, Layer, type Redacted } from "effect"
import { providerWebhook } from "../../vendor-webhooks/ProviderWebhooks.ts"
import { chargeWork, platformSigned } from "./CardWebhookHttp.ts"

/** The secret that signs Pix provider 2's calls about the service's own account; undefined refuses them all. */
export const PlatformPixWebhookSecret = Context.Reference<Redacted.Redacted | undefined>(
  "@carteiro/runtime/billing/routes/PlatformPixWebhookSecret",
  { defaultValue: () => undefined }
)

/** POST /webhooks/pixprov2/platform: notices about Pix charges of accounts. gaps-3 G "Inbound provider webhooks" */
export const PlatformPixWebhookHttp = Layer.unwrap(
  Effect.map(PlatformPixWebhookSecret, (secret) =>
    providerWebhook({
      operation: "pixprov2_platform_webhook.take",
      path: "/webhooks/pixprov2/platform",
      vendor: "pixprov2",
      signedBy: () => Effect.succeed(platformSigned(secret)),
      work: chargeWork
    })
  )
)
