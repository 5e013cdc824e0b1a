import { NumprovWebhooks } from "@carteiro/provider/NumberProvider.ts"
import type { WebhookScheme } from "@carteiro/provider/WebhookScheme.ts"
import { Context, Effect, Layer } from "effect"
import { type PlatformSecrets, platformSigned, providerWebhook } from "../../vendor-webhooks/ProviderWebhooks.ts"
import { NumprovNoticesWorker } from "./NumprovNoticesWorker.ts"
import { NumprovRepo } from "./NumprovRepo.ts"

/** The secrets that may sign the number provider's calls about our own account; without one they are all refused. */
export const NumprovWebhookSecrets = Context.Reference<PlatformSecrets>(
  "@carteiro/runtime/provider-connections/numprov/NumprovWebhookSecrets",
  { defaultValue: () => [] }
)

const vendor = "numprov"

/** One owner handles all notices about one account, in the order of their arrival. */
const work = (_event: unknown, owner_id: string) =>
  Effect.succeed([{ owner_type: NumprovNoticesWorker.name, owner_id }])

const platform = (scheme: WebhookScheme | undefined, secrets: PlatformSecrets) =>
  providerWebhook({
    operation: "numprov_platform_webhook.take",
    path: "/webhooks/numprov/platform",
    vendor,
    scheme,
    signedBy: () => Effect.succeed(platformSigned(secrets)),
    work
  })

const ofConnection = (scheme: WebhookScheme | undefined) =>
  providerWebhook({
    operation: "numprov_webhook.take",
    path: "/webhooks/numprov/:numprov_connection_id",
    vendor,
    scheme,
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
export const NumprovWebhookHttp = Layer.unwrap(
  Effect.gen(function* () {
    const scheme = yield* NumprovWebhooks
    return Layer.merge(platform(scheme, yield* NumprovWebhookSecrets), ofConnection(scheme))
  })
)
