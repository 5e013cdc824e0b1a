import { Ids } from "@carteiro/owners/Ids.ts"
import { Instruments } from "@carteiro/owners/Instruments.ts"
import { Activations, type OwnerHandle } from "@carteiro/owners/Owner.ts"
import { eraOf } from "@carteiro/owners/OwnerClocks.ts"
import { gatheringPasses, PassesApart } from "@carteiro/owners/Queue.ts"
import { UpstreamNotices } from "@carteiro/provider/ChatNotices.ts"
import { ConnectedChat } from "@carteiro/provider/ChatProvider.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Effect } from "effect"
import { SpendStandings } from "../../access/Access.ts"
import { MessageUsage } from "../../billing/Billing.ts"
import { CustomerIds } from "../../customers/CustomerIds.ts"
import { NamedFlows } from "../../flows/Flows.ts"
import { NamedGroups } from "../../groups/Groups.ts"
import { MediaHashes, mediaOwner, SendFiles } from "../../media/Media.ts"
import { Outbox } from "../../outbox/Outbox.ts"
import { paymentChanges } from "../../payments/Payments.ts"
import { NumberReads, type TransferItem } from "../../phone-numbers/PhoneNumbers.ts"
import { Rates } from "../../ratelimit/Rates.ts"
import { TemplateHints } from "../../templates/Templates.ts"
import { foreignTimes } from "../../tenancy/EnvironmentTime.ts"
import { SandboxUnitMs } from "../../tenancy/SandboxUnit.ts"
import { InboxRepo } from "../../vendor-webhooks/InboxRepo.ts"
import { acceptAll } from "../accept/Accept.ts"
import type { AcceptItem } from "../accept/AcceptItem.ts"
import { addressedItems } from "../accept/AddressedItems.ts"
import { type AcceptedFacts, readAcceptedFacts } from "../accept/TemplateLimits.ts"
import { type CancelFacts, cancelAll, readCancelFacts } from "../cancel/Cancel.ts"
import { CancelRepo } from "../cancel/CancelRepo.ts"
import { DueRepo } from "../facts/DueRepo.ts"
import { HeldRepo } from "../facts/HeldRepo.ts"
import { type NumberFacts, type NumberState, readState, writeState } from "../facts/SendingFacts.ts"
import { SendingRepo } from "../facts/SendingRepo.ts"
import { SendMemory } from "../facts/SendMemory.ts"
import { type NumberLimits, numberLimits } from "../facts/Throughput.ts"
import { GuardRepo } from "../guards/GuardRepo.ts"
import { countMessages } from "../message/MessageMetrics.ts"
import { takeNotices as takeNoticesOf } from "../notices/NoticePass.ts"
import { NoticeRepo } from "../notices/NoticeRepo.ts"
import { remembering } from "../notices/ReadCalls.ts"
import { PacingRepo } from "../pacing/PacingRepo.ts"
import { PortfolioWorker } from "../pacing/PortfolioWorker.ts"
import { captureAll, type InboundDeps } from "../receive/Inbound.ts"
import { type InboundFacts, readInboundFacts } from "../receive/InboundFacts.ts"
import type { InboundItem } from "../receive/InboundItem.ts"
import { ReferredRepo } from "../receive/ReferredRepo.ts"
import { makeSendQueues, type SendDeps } from "../send/SendCalls.ts"
import type { SendingNumber } from "../send/SendWorker.ts"
import { stepFormer } from "../transfer/FormerSteps.ts"
import { readTransferFacts, type TransferFacts, transferAll } from "../transfer/Transfer.ts"
import { TransferRepo } from "../transfer/TransferRepo.ts"
import { passDue, type TakeNotices } from "./NumberPass.ts"
import { PhoneNumberEntity } from "./PhoneNumberEntity.ts"

/** Hosts the owners of numbers: they accept, capture, and send due messages. */
export const phoneNumberOwners = PhoneNumberEntity.toLayer(
  Effect.gen(function* () {
    const repo = yield* SendingRepo
    const outbox = yield* Outbox
    const secrets = yield* Secrets
    const ids = yield* Ids
    const guards = yield* GuardRepo
    const hashes = yield* MediaHashes
    const hints = yield* TemplateHints
    const pacing = yield* PacingRepo
    const flows = yield* NamedFlows
    const groups = yield* NamedGroups
    const referred = yield* ReferredRepo
    const cancelled = yield* CancelRepo
    const usage = yield* MessageUsage
    const unitMs = yield* SandboxUnitMs
    const reads = yield* NumberReads
    const transfers = yield* TransferRepo
    const times = yield* foreignTimes
    const customers = yield* CustomerIds
    const memory = new SendMemory()
    const count = countMessages(yield* Instruments)
    const activations = yield* Activations
    const wakeMedia = (environmentId: string) => activations.wake(mediaOwner, environmentId)
    const capturing = (state: NumberState): InboundDeps => ({
      outbox,
      secrets,
      ids,
      memory,
      count,
      wakeMedia,
      customers,
      mayHold: (customer_key) => state.slots?.holds(customer_key) !== false
    })
    const limitsOf = yield* makeLimits
    const deps = yield* makeSendDeps(limitsOf, count, (id) => activations.wake(PortfolioWorker.name, id))
    const takeNotices = yield* makeTakeNotices(capturing)
    const makeSends = yield* makeSendQueues(deps)
    const gathering = gatheringPasses(yield* PassesApart)

    return {
      load: (owner, saved, before: SendingNumber | undefined) =>
        Effect.sync((): SendingNumber => {
          // Messages may have become due before this owner was loaded, so it checks at once.
          owner.dueAt(owner.now() + 1)
          before?.sends?.follow(owner)
          memory.enterEra(owner.id, eraOf(owner.clock))
          return { ...readState(saved, owner.now()), sends: before?.sends, gathered: before?.gathered ?? gathering() }
        }),
      snapshot: (state: SendingNumber) => writeState(state),
      work: (state: SendingNumber, owner) =>
        state.gathered(
          state.former === "none"
            ? passDue(state, owner, deps, makeSends, takeNotices)
            : Effect.zipWith(
                stepFormer(state, owner, { ...deps, repo, transfers, times }),
                passDue(state, owner, deps, makeSends, takeNotices),
                earlier
              )
        ),
      handlers: {
        Accept: {
          read: unmoved((items: ReadonlyArray<AcceptItem>, state, owner) =>
            Effect.flatMap(addressedItems(items, customers), (addressed) =>
              Effect.map(
                readAcceptedFacts(addressed, state, owner, {
                  repo,
                  memory,
                  flows,
                  groups,
                  secrets,
                  guards,
                  pacing,
                  hashes,
                  hints
                }),
                (facts) => ({ addressed, facts })
              )
            )
          ),
          decide: (_items, { addressed, facts }: AddressedFacts, numberState: SendingNumber, owner, now) => {
            const numberLimits = facts.number === undefined ? none : limitsOf(facts.number)
            return acceptAll(
              addressed,
              { facts, numberState, numberLimits, owner, now },
              { memory, secrets, unitMs, count, wakeMedia, customers }
            )
          }
        },
        Inbound: {
          read: unmoved((items: ReadonlyArray<InboundItem>, _state, owner) =>
            readInboundFacts(items, owner.id, { repo, referred, flows, customers, groups })
          ),
          decide: (items, facts: InboundFacts, state: SendingNumber, owner, now) =>
            captureAll(items, facts, owner, now, capturing(state))
        },
        Cancel: {
          read: (items, _state: SendingNumber, owner) => readCancelFacts(items, owner.id, repo, cancelled),
          decide: (items, facts: CancelFacts, _state: SendingNumber, owner, now) =>
            cancelAll(items, facts, owner, now, { ids, outbox, usage, count })
        },
        Transfer: {
          read: unmoved((items: ReadonlyArray<TransferItem>, _state, owner) =>
            readTransferFacts(items, owner, { reads, transfers, times })
          ),
          decide: (items, facts: ReadonlyArray<TransferFacts>, state: SendingNumber, owner, now) =>
            transferAll(items, facts, state, owner, now)
        }
      }
    }
  })
)

const makeLimits = Effect.map(
  Rates,
  (rates) =>
    (number: NumberFacts): NumberLimits =>
      numberLimits(
        number.environment,
        number.throughput_plan,
        number.upstream_throughput_tier,
        rates[`phone_number.${number.environment}`].number
      )
)

/** Returns what handles a provider's notices about a number; its inbound messages are captured by `capturing`. */
const makeTakeNotices = Effect.fnUntraced(function* (capturing: (state: NumberState) => InboundDeps) {
  const deps = {
    repo: yield* SendingRepo,
    notices: yield* NoticeRepo,
    inbox: yield* InboxRepo,
    usage: yield* MessageUsage,
    readNotices: remembering(yield* UpstreamNotices),
    payments: paymentChanges,
    referred: yield* ReferredRepo,
    flows: yield* NamedFlows,
    groups: yield* NamedGroups
  }
  const takeNotices: TakeNotices = (noticed, state, owner) =>
    takeNoticesOf(noticed, { owner_type: PhoneNumberEntity.name, owner_id: owner.id }, owner, {
      ...deps,
      ...capturing(state),
      openSlot: (expires_at) => state.slots?.open(expires_at)
    })
  return takeNotices
})

const makeSendDeps = Effect.fnUntraced(function* (
  limitsOf: SendDeps["limitsOf"],
  count: SendDeps["count"],
  wakePortfolio: SendDeps["wakePortfolio"]
) {
  const deps: SendDeps = {
    wakePortfolio,
    limitsOf,
    count,
    secrets: yield* Secrets,
    flows: yield* NamedFlows,
    due: yield* DueRepo,
    standings: yield* SpendStandings,
    guards: yield* GuardRepo,
    pacing: yield* PacingRepo,
    held: yield* HeldRepo,
    ids: yield* Ids,
    outbox: yield* Outbox,
    usage: yield* MessageUsage,
    connected: yield* ConnectedChat,
    unitMs: yield* SandboxUnitMs,
    files: yield* SendFiles
  }
  return deps
})

const earlier = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)

/**
 * Waits until a transfer of the number is written or refused, so that the batch is decided in the number's present
 * environment.
 */
const unmoved =
  <Item, Facts>(
    read: (items: ReadonlyArray<Item>, state: SendingNumber, owner: OwnerHandle) => Effect.Effect<Facts>
  ): typeof read =>
  (items, state, owner) =>
    state.moving ? Effect.andThen(owner.settled, read(items, state, owner)) : read(items, state, owner)

/** Sends with the keys of their customers, and the facts that decide them. */
interface AddressedFacts {
  readonly addressed: ReadonlyArray<AcceptItem>
  readonly facts: AcceptedFacts
}

const none: NumberLimits = { accept: undefined, send: undefined }
