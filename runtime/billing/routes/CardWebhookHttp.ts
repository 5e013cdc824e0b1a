import { Context, Effect, Layer, type Redacted } from "effect"
import { type ProviderEvent, providerWebhook, type SignedBy } from "../../vendor-webhooks/ProviderWebhooks.ts"
import { ChargeRepo } from "../charges/ChargeRepo.ts"
import { ChargeNoticesEntity } from "../owner/ChargeNoticesEntity.ts"

/** The secret that the card processor signs its calls with; undefined takes none. */
export const CardWebhookSecret = Context.Reference<Redacted.Redacted | undefined>(
  "@carteiro/runtime/billing/routes/CardWebhookSecret",
  { defaultValue: () => undefined }
)

/** Whose charge a vendor's event is about: the work of the notices of that account. */
export const chargeWork = ({ data: { external_id } }: ProviderEvent) =>
  typeof external_id === "string"
    ? Effect.flatMap(ChargeRepo, (repo) =>
        Effect.map(repo.accountOf(external_id), (account) =>
          account === undefined ? [] : [{ owner_type: ChargeNoticesEntity.name, owner_id: account }]
        )
      )
    : Effect.succeed([])

/** Who signs for the service's own account at a vendor. */
export const platformSigned = (secret: Redacted.Redacted | undefined): SignedBy =>
  secret === undefined ? { _tag: "NotConfigured" } : { _tag: "Signed", connection: "platform", secrets: [secret] }

/** POST /webhooks/cardproc: what the card processor tells of charges. gaps-3 G "Inbound provider webhooks" */
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
