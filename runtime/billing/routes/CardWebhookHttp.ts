import { CardWebhooks } from "@carteiro/provider/payments/CardProvider.ts"
import type { ProviderEvent } from "@carteiro/provider/WebhookScheme.ts"
import { Context, Effect, Layer } from "effect"
import { type PlatformSecrets, platformSigned, providerWebhook } from "../../vendor-webhooks/ProviderWebhooks.ts"
import type { Charge } from "../charges/Charge.ts"
import { noticedCharge } from "../charges/ChargeNotice.ts"
import { ChargeRepo } from "../charges/ChargeRepo.ts"
import { ChargeNoticesWorker } from "../owner/ChargeNoticesWorker.ts"

/** The secrets that may sign the card processor's calls; without one they are all refused. */
export const CardWebhookSecrets = Context.Reference<PlatformSecrets>(
  "@carteiro/runtime/billing/routes/CardWebhookSecrets",
  { defaultValue: () => [] }
)

/** Returns the work of a vendor's event: it belongs to the notices of the charge's account. */
export const chargeWork = (rail: Charge["rail"]) => (event: ProviderEvent) =>
  Effect.flatMap(ChargeRepo, (repo) =>
    Effect.map(noticedCharge(repo, rail, event), (charge) =>
      charge === undefined ? [] : [{ owner_type: ChargeNoticesWorker.name, owner_id: charge.account_id }]
    )
  )

/** POST /webhooks/cardproc: the card processor's notices about charges. gaps-3 G "Inbound provider webhooks" */
export const CardWebhookHttp = Layer.unwrap(
  Effect.gen(function* () {
    const secrets = yield* CardWebhookSecrets
    return providerWebhook({
      operation: "cardproc_webhook.take",
      path: "/webhooks/cardproc",
      vendor: "cardproc",
      scheme: yield* CardWebhooks,
      signedBy: () => Effect.succeed(platformSigned(secrets)),
      work: chargeWork("card")
    })
  })
)
