import { PlatformPix } from "@carteiro/provider/payments/PixCharges.ts"
import { Effect, Layer } from "effect"
import { platformSigned, providerWebhook } from "../../vendor-webhooks/ProviderWebhooks.ts"
import { PlatformPixWebhookSecrets } from "../charges/PlatformPixWebhookSecrets.ts"
import { PlatformPixNoticesEntity } from "../owner/PlatformPixNoticesEntity.ts"
import { chargeWork } from "./CardWebhookHttp.ts"

/** The owner of notices that have to be asked about. */
const asked = [{ owner_type: PlatformPixNoticesEntity.name, owner_id: "platform" }]

/**
 * POST /webhooks/pixprov2/platform, and below it the addresses that only a vendor without signatures knows: notices about
 * Pix charges of accounts, proven by the scheme of the account's driver. gaps-3 G "Inbound provider webhooks"
 */
export const PlatformPixWebhookHttp = Layer.unwrap(
  Effect.gen(function* () {
    const secrets = yield* PlatformPixWebhookSecrets
    const notices = (yield* PlatformPix)?.notices
    const receiver = (below: "" | "/:token" | "/:token/pix") =>
      providerWebhook({
        operation: "pixprov2_platform_webhook.take",
        path: `/webhooks/pixprov2/platform${below}`,
        vendor: "pixprov2",
        signedBy: () => {
          const signed = platformSigned(secrets)
          return Effect.succeed(signed._tag === "Signed" ? { ...signed, prove: notices?.prove } : signed)
        },
        work: (event) => (notices === undefined ? chargeWork("pix")(event) : Effect.succeed(asked))
      })
    return Layer.mergeAll(receiver(""), receiver("/:token"), receiver("/:token/pix"))
  })
)
