import { Effect, Layer } from "effect"
import { PaymentsConnections } from "../../provider-connections/ProviderConnections.ts"
import { providerWebhook } from "../../vendor-webhooks/ProviderWebhooks.ts"
import { PixNoticesEntity } from "../worker/PixNoticesEntity.ts"

/**
 * POST /webhooks/pixprov1/{provider_connection_id} and POST /webhooks/pixprov2/{provider_connection_id}. gaps-3 G
 * "Inbound provider webhooks"
 */
const receiver = (vendor: "pixprov1" | "pixprov2") =>
  providerWebhook({
    operation: `${vendor}_webhook.take`,
    path: `/webhooks/${vendor}/:provider_connection_id`,
    vendor,
    signedBy: ({ provider_connection_id: id = "" }) =>
      Effect.gen(function* () {
        const connection = yield* (yield* PaymentsConnections).byId(id)
        if (connection === undefined || connection.provider !== vendor || connection.status === "disconnected") {
          return { _tag: "Nobody" }
        }
        const { webhook_secret } = connection
        return webhook_secret === undefined
          ? { _tag: "NotConfigured" }
          : { _tag: "Signed", connection: id, secrets: [webhook_secret] }
      }),
    work: (_event, connection) => Effect.succeed([{ owner_type: PixNoticesEntity.name, owner_id: connection }])
  })

/** The receivers of the Pix providers' notices about merchants' accounts. */
export const PixWebhookHttp = Layer.merge(receiver("pixprov1"), receiver("pixprov2"))
