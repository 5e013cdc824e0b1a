import type { DueOwners } from "@carteiro/owners/DueWork.ts"
import { Effect, Layer } from "effect"
import { SpendStandings } from "../access/Access.ts"
import { MessageUsage } from "../billing/Billing.ts"
import { CustomerMessages, MarketingStops } from "../contacts/Contacts.ts"
import { customerIdsLayer } from "../customers/CustomerIdsLayer.ts"
import { NamedFlows } from "../flows/Flows.ts"
import { NamedGroups } from "../groups/Groups.ts"
import { FileDescriptors, MediaHashes, SendFiles } from "../media/Media.ts"
import { NumberDirectory, NumberOwners, NumberReads } from "../phone-numbers/PhoneNumbers.ts"
import { defineRoom } from "../room/Room.ts"
import { TemplateHints } from "../templates/Templates.ts"
import { SandboxUnitMs } from "../tenancy/SandboxUnit.ts"
import { dueInboxes, InboxRepo } from "../vendor-webhooks/InboxRepo.ts"
import { SuspendedContent } from "../webhooks/Webhooks.ts"
import { sendOutlookLayer } from "./accept/SendOutlookLayer.ts"
import { CancelRepo } from "./cancel/CancelRepo.ts"
import { messageMover } from "./erasure/CustomerMoveRepo.ts"
import { messageErasers } from "./erasure/MessageEraserRepo.ts"
import { payloadSweep } from "./erasure/PayloadSweepRepo.ts"
import { DueRepo, messagesOfTenant, pacingOfTenant } from "./facts/DueRepo.ts"
import { HeldRepo } from "./facts/HeldRepo.ts"
import { SendingRepo } from "./facts/SendingRepo.ts"
import { GuardRepo } from "./guards/GuardRepo.ts"
import { marketingStops } from "./guards/MarketingStopsRepo.ts"
import { NoticeRepo } from "./notices/NoticeRepo.ts"
import { MessagesHttp } from "./number/MessagesHttp.ts"
import { PhoneNumberEntity } from "./number/PhoneNumberEntity.ts"
import { phoneNumberOwners } from "./number/PhoneNumberOwners.ts"
import { Typing } from "./number/TypingIndicator.ts"
import { PacingEstimates } from "./pacing/PacingEstimates.ts"
import { PacingRepo } from "./pacing/PacingRepo.ts"
import { PortfolioWorker } from "./pacing/PortfolioWorker.ts"
import { portfolioOwners } from "./portfolio/PortfolioOwners.ts"
import { PortfolioRepo } from "./portfolio/PortfolioRepo.ts"
import { customerMessages } from "./read/CustomerMessagesRepo.ts"
import { MessageAdmin } from "./read/MessageAdmin.ts"
import { MessageLookupsHttp } from "./read/MessageLookupsHttp.ts"
import { MessagePages } from "./read/MessagePages.ts"
import { MessageRepo } from "./read/MessageRepo.ts"
import { numberTraffic } from "./read/NumberTraffic.ts"
import { ReferredRepo } from "./receive/ReferredRepo.ts"
import { suspendedContent } from "./receive/SuspendedContentRepo.ts"
import { outwardSends } from "./send/OutwardSends.ts"
import { gauges } from "./send/SendGaugesRepo.ts"
import { TransferRepo } from "./transfer/TransferRepo.ts"

/** Returns numbers whose owners have due work. */
const dueNumbers: DueOwners["due"] = (now, after, limit) =>
  Effect.provide(
    Effect.flatMap(DueRepo, (repo) => repo.dueNumbers(now, after, limit)),
    DueRepo.layer
  )

/** Returns numbers whose held messages are due. gaps-2 D "How pacing holds and releases" */
const duePacing: DueOwners["due"] = (now, after, limit) =>
  Effect.provide(
    Effect.flatMap(HeldRepo, (repo) => repo.duePacing(now, after, limit)),
    HeldRepo.layer
  )

/** Returns portfolios with requests of their numbers that are due. U-LIM-01 */
const duePortfolios: DueOwners["due"] = (now, after, limit) =>
  Effect.provide(
    Effect.flatMap(PortfolioRepo, (repo) => repo.due(now, after, limit)),
    PortfolioRepo.layer
  )

/** The numbers as the response to a transfer shows them. */
const numberReads = NumberReads.layer.pipe(
  Layer.provide([
    numberTraffic.pipe(Layer.provide(Layer.merge(MessageRepo.layer, PacingRepo.layer))),
    NumberDirectory.layer
  ])
)

/** Provides the phone-numbers room with the owners of numbers. */
const numberOwners = Layer.effect(
  NumberOwners,
  Effect.map(PhoneNumberEntity.client, (numbers) =>
    NumberOwners.of({
      transfer: (id, item) => numbers.Transfer(id, item),
      wake: numbers.wake
    })
  )
)

/** The messages room: sending, receiving and reading messages. */
export const room = defineRoom({
  name: "messages",
  outward: [outwardSends],
  settings: ({ sandboxStatusDelayMs }: { readonly sandboxStatusDelayMs: number }) =>
    Layer.succeed(SandboxUnitMs, sandboxStatusDelayMs),
  // Content that number management holds back is not resent either.
  answers: Layer.mergeAll(
    Layer.effect(SuspendedContent, suspendedContent),
    Layer.effect(CustomerMessages, customerMessages),
    Layer.effect(MarketingStops, marketingStops)
  ),
  erasers: Effect.map(Effect.all([messageErasers, messageMover]), ([erasers, mover]) => [...erasers, mover]),
  services: Layer.mergeAll(
    MessageAdmin.layer,
    numberTraffic,
    Layer.effect(PacingEstimates, PacingRepo),
    sendOutlookLayer.pipe(
      Layer.provide([
        SendingRepo.layer,
        GuardRepo.layer,
        MediaHashes.layer,
        NamedFlows.layer,
        NamedGroups.layer,
        TemplateHints.layer,
        customerIdsLayer
      ])
    )
  ).pipe(Layer.provide(Layer.merge(MessageRepo.layer, PacingRepo.layer))),
  actions: numberOwners,
  routes: Layer.merge(MessagesHttp, MessageLookupsHttp).pipe(
    Layer.provide([MessagePages.layer, Typing.layer]),
    Layer.provide([MessageRepo.layer, FileDescriptors.layer, customerIdsLayer])
  ),
  owners: Layer.merge(phoneNumberOwners, portfolioOwners).pipe(
    Layer.provide(
      Layer.mergeAll(
        PortfolioRepo.layer,
        SendingRepo.layer,
        customerIdsLayer,
        DueRepo.layer,
        SpendStandings.layer,
        NoticeRepo.layer,
        InboxRepo.layer,
        GuardRepo.layer,
        MediaHashes.layer,
        PacingRepo.layer,
        HeldRepo.layer,
        NamedFlows.layer,
        NamedGroups.layer,
        SendFiles.layer,
        CancelRepo.layer,
        ReferredRepo.layer,
        TransferRepo.layer,
        TemplateHints.layer,
        MessageUsage.layer,
        numberReads
      )
    )
  ),
  due: [
    Effect.succeed({ type: PhoneNumberEntity.name, due: dueNumbers, ofTenant: messagesOfTenant }),
    Effect.succeed({ type: PhoneNumberEntity.name, due: duePacing, ofTenant: pacingOfTenant }),
    Effect.succeed({ type: PhoneNumberEntity.name, due: dueInboxes(PhoneNumberEntity.name) }),
    Effect.succeed({ type: PortfolioWorker.name, due: duePortfolios })
  ],
  jobs: [payloadSweep],
  gauges
})
