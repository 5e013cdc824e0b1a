import { Context, Effect, Layer, type Redacted } from "effect"
import { providerWebhook, type SignedBy } from "../../vendor-webhooks/ProviderWebhooks.ts"
import { NumprovNoticesEntity } from "./NumprovNoticesEntity.ts"
import { NumprovRepo } from "./NumprovRepo.ts"

/** The secret that signs the number provider's calls about our own account; undefined refuses them all. */
export const NumprovWebhookSecret = Context.Reference<Redacted.Redacted | undefined>(
  "@carteiro/runtime/provider-connections/numprov/NumprovWebhookSecret",
  { defaultValue: () => undefined }
)

const vendor = "numprov"

/** One owner handles all notices about one account, in the order of their arrival. */
const work = (_event: unknown, owner_id: string) =>
  Effect.succeed([{ owner_type: NumprovNoticesEntity.name, owner_id }])

const platform = Layer.unwrap(
  Effect.map(NumprovWebhookSecret, (secret) =>
    providerWebhook({
      operation: "numprov_platform_webhook.take",
      path: "/webhooks/numprov/platform",
      vendor,
      signedBy: () =>
        Effect.succeed<SignedBy>(
          secret === undefined
            ? { _tag: "NotConfigured" }
            : { _tag: "Signed", connection: "platform", secrets: [secret] }
        ),
      work
    })
  )
)

const ofConnection = providerWebhook({
  operation: "numprov_webhook.take",
  path: "/webhooks/numprov/:numprov_connection_id",
  vendor,
  signedBy: ({ numprov_connection_id: id = "" }) =>
    Effect.gen(function* () {
      const secret = yield* (yield* NumprovRepo).webhookSecret(id)
      if (secret === undefined) return { _tag: "Nobody" }
      return secret === null ? { _tag: "NotConfigured" } : { _tag: "Signed", connection: id, secrets: [secret] }
    }),
  work
})

/**
 * POST /webhooks/numprov/platform and /webhooks/numprov/{numprov_connection_id}: the number provider's notices about
 * our account and about those of tenants. vendor-wires "numprov", gaps-3 G "Inbound provider webhooks"
 */
export const NumprovWebhookHttp = Layer.merge(platform, ofConnection)
