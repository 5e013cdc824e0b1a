import { Layer, type Redacted } from "effect"
import { VendorInbox } from "../platform/inbox/VendorInbox.ts"
import { defineRoom } from "../platform/room/Room.ts"
import { connectedProviders } from "./connection/ConnectedProviders.ts"
import { ConnectionRepo } from "./connection/ConnectionRepo.ts"
import { DemoConnection } from "./connection/DemoConnection.ts"

import { RoutedNumberRepo } from "./webhook/RoutedNumberRepo.ts"
import { UpstreamWebhookHttp } from "./webhook/UpstreamWebhookHttp.ts"
import { WebhookSecrets } from "./webhook/WebhookSecrets.ts"

export { type DemoAccount, DemoConnection } from "./connection/DemoConnection.ts"

/** The settings the room reads. */
interface WebhookSettings {
  readonly upstreamAppSecret: Redacted.Redacted | undefined
  readonly upstreamWebhookVerifyToken: Redacted.Redacted | undefined
}

/** Accounts at providers, and whom a sender leaves through. */
export const room = defineRoom({
  name: "provider-connections",
  answers: connectedProviders.pipe(Layer.provide(ConnectionRepo.layer)),
  settings: ({ upstreamAppSecret: appSecret, upstreamWebhookVerifyToken: verifyToken }: WebhookSettings) =>
    Layer.succeed(WebhookSecrets, { appSecret, verifyToken }),
  routes: UpstreamWebhookHttp.pipe(Layer.provide(Layer.merge(RoutedNumberRepo.layer, VendorInbox.layer))),
  services: DemoConnection.layer.pipe(Layer.provide(ConnectionRepo.layer))
})
