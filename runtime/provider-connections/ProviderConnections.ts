import { Effect, Layer, type Redacted } from "effect"
import { dueInboxes } from "../platform/inbox/InboxRepo.ts"
import { VendorInbox } from "../platform/inbox/VendorInbox.ts"
import { defineRoom } from "../platform/room/Room.ts"
import { AccountRepo } from "./account/AccountRepo.ts"
import { UpstreamAccountEntity, upstreamAccountOwners } from "./account/UpstreamAccountEntity.ts"
import { connectedProviders } from "./connection/ConnectedProviders.ts"
import { ConnectionRepo } from "./connection/ConnectionRepo.ts"
import { DemoConnection } from "./DemoConnection.ts"
import { PaymentsConnections } from "./payments/PaymentsConnections.ts"
import { RoutedNumberRepo } from "./webhook/RoutedNumberRepo.ts"
import { UpstreamWebhookHttp } from "./webhook/UpstreamWebhookHttp.ts"
import { WebhookSecrets } from "./webhook/WebhookSecrets.ts"

export { type DemoAccount, DemoConnection } from "./DemoConnection.ts"
export { type PaymentsConnection, PaymentsConnections } from "./payments/PaymentsConnections.ts"

/** The settings the room reads. */
interface WebhookSettings {
  readonly upstreamAppSecret: Redacted.Redacted | undefined
  readonly upstreamWebhookVerifyToken: Redacted.Redacted | undefined
}

/** Lets nodes that host no owners wake those of accounts. */
const waking = Layer.effectDiscard(UpstreamAccountEntity.client)

/** Accounts at providers, and whom a sender leaves through. */
export const room = defineRoom({
  name: "provider-connections",
  answers: connectedProviders.pipe(Layer.provide(ConnectionRepo.layer)),
  settings: ({ upstreamAppSecret: appSecret, upstreamWebhookVerifyToken: verifyToken }: WebhookSettings) =>
    Layer.succeed(WebhookSecrets, { appSecret, verifyToken }),
  routes: Layer.merge(UpstreamWebhookHttp, waking).pipe(
    Layer.provide(Layer.merge(RoutedNumberRepo.layer, VendorInbox.layer))
  ),
  owners: upstreamAccountOwners.pipe(Layer.provide(AccountRepo.layer)),
  due: [Effect.succeed({ type: UpstreamAccountEntity.name, due: dueInboxes(UpstreamAccountEntity.name) })],
  services: DemoConnection.layer.pipe(
    Layer.provide(ConnectionRepo.layer),
    Layer.provideMerge(PaymentsConnections.layer)
  )
})
