import { Context, Effect, Layer, type Redacted } from "effect"
import { type ProviderEvent, providerWebhook, type SignedBy } from "../../vendor-webhooks/ProviderWebhooks.ts"
import { ChargeRepo } from "../charges/ChargeRepo.ts"
import { ChargeNoticesEntity } from "../owner/ChargeNoticesEntity.ts"

/** The secret that signs the card processor's calls; undefined refuses them all. */
export const CardWebhookSecret = Context.Reference<Redacted.Redacted | undefined>(
  "@carteiro/runtime/billing/routes/CardWebhookSecret",
  { defaultValue: () => undefined }
)

/** Returns the work of a vendor's event: it belongs to the notices of the charge's account. */
export const chargeWork = ({ data: { external_id } }: ProviderEvent) =>
  typeof external_id === "string"
    ? Effect.flatMap(ChargeRepo, (repo) =>
        Effect.map(repo.accountOf(external_id), (account) =>
          account === undefined ? [] : [{ owner_type: ChargeNoticesEntity.name, owner_id: account }]
        )
      )
    : Effect.succeed([])

/** Returns the signer of calls about the service's own account at a vendor. */
export const platformSigned = (secret: Redacted.Redacted | undefined): SignedBy =>
  secret === undefined ? { _tag: "NotConfigured" } : { _tag: "Signed", connection: "platform", secrets: [secret] }

/** POST /webhooks/cardproc: the card processor's notices about charges. gaps-3 G "Inbound provider webhooks" */
export const CardWebhookHttp = Layer.unwrap(
  Effect.map(CardWebhookSecret, (secret) =>
    providerWebhook({
      operation: "cardproc_webhook.take",
      path: "/webhooks/cardproc",
      vendor: "cardproc",
      signedBy: () => Effect.succeed(platformSigned(secret)),
      work: chargeWork
    })
  )
)
