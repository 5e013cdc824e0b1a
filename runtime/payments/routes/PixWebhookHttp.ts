import { PixProviders, pixProviderOf } from "@carteiro/provider/payments/PixProvider.ts"
import { Effect, Layer } from "effect"
import { PaymentsConnections } from "../../provider-connections/ProviderConnections.ts"
import { providerWebhook } from "../../vendor-webhooks/ProviderWebhooks.ts"
import { PixNoticesWorker } from "../worker/PixNoticesWorker.ts"

/**
 * POST /webhooks/pixprov1/{provider_connection_id} and POST /webhooks/pixprov2/{provider_connection_id}, and below the
 * latter the addresses that only a vendor without signatures knows. Each account's calls are proven by the scheme of its
 * driver. gaps-3 G "Inbound provider webhooks"
 */
const receiver = (vendor: "pixprov1" | "pixprov2", below: "" | "/:token" | "/:token/pix" = "") =>
  providerWebhook({
    operation: `${vendor}_webhook.take`,
    path: `/webhooks/${vendor}/:provider_connection_id${below}`,
    vendor,
    signedBy: ({ provider_connection_id: id = "" }) =>
      Effect.gen(function* () {
        const connection = yield* (yield* PaymentsConnections).byId(id)
        if (connection === undefined || connection.provider !== vendor || connection.status === "disconnected") {
          return { _tag: "Nobody" }
        }
        const { webhook_secret } = connection
        if (webhook_secret === undefined) return { _tag: "NotConfigured" }
        const vendors = yield* PixProviders
        const hasOwnScheme = connection.driver !== null && connection.driver !== "bridge"
        const prove = pixProviderOf(vendors, connection)?.notices?.prove
        // Without its adapter nobody can tell whose call it is.
        if (hasOwnScheme && prove === undefined) return { _tag: "NotConfigured" }
        return { _tag: "Signed", connection: id, secrets: [webhook_secret], prove }
      }),
    work: (_event, connection) => Effect.succeed([{ owner_type: PixNoticesWorker.name, owner_id: connection }])
  })

/** The receivers of the Pix providers' notices about merchants' accounts. */
export const PixWebhookHttp = Layer.mergeAll(
  receiver("pixprov1"),
  receiver("pixprov2"),
  receiver("pixprov2", "/:token"),
  receiver("pixprov2", "/:token/pix")
)
