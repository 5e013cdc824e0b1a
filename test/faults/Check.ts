import { overIsClosedThere } from "./checks/Agents.ts"
import * as Batches from "./checks/Batches.ts"
import { tripsAtTheLimit, tripsHaveTheirCause } from "./checks/Breaker.ts"
import * as Groups from "./checks/Groups.ts"
import * as Idempotency from "./checks/Idempotency.ts"
import * as Messages from "./checks/Messages.ts"
import * as Money from "./checks/Money.ts"
import * as Payments from "./checks/Payments.ts"
import { processesLive } from "./checks/Processes.ts"
import * as Production from "./checks/Production.ts"
import * as Stream from "./checks/Stream.ts"
import * as Strikes from "./checks/Strikes.ts"
import * as Webhooks from "./checks/Webhooks.ts"
import type { Evidence } from "./Evidence.ts"

/** Judges a finished run; each line it answers is one violation. */
export type Check = (evidence: Evidence) => ReadonlyArray<string>

/** Every promise the product makes under faults, and the check that would find it broken. */
export const checks = {
  "an accepted message is never lost": Messages.acceptedIsKept,
  "every message comes to its end": Messages.everythingRests,
  "a refusal has no effect": Messages.nothingFromNothing,
  "reads never go back": Messages.readsNeverGoBack,
  "nothing is sent again after a confirmed outcome": Messages.stepsHappenOnce,
  "one effect per idempotency key": Idempotency.oneEffectPerKey,
  "replays are equal byte for byte": Idempotency.replaysAreEqual,
  "a key takes no other body": Idempotency.keysHoldTheirBody,
  "no key stays in progress": Idempotency.keysGetTheirAnswer,
  "listen has no gap and no repeat": Stream.listenHasNoGap,
  "each status is announced exactly once": Stream.announcedOnce,
  "listen tells of a message oldest first": Stream.oldestFirst,
  "a willing endpoint gets every event": Webhooks.steadyGetsEverything,
  "every delivery comes to its end": Webhooks.deliveriesEnd,
  "delivered means received": Webhooks.deliveredWasReceived,
  "deliveries are signed and keep their bytes": Webhooks.deliveriesAreTrue,
  "a receiver hears of each status by one event": Webhooks.receivedOnce,
  "the breaker trips at exactly 20, and 3 on probation": tripsAtTheLimit,
  "no trip without its failures": tripsHaveTheirCause,
  "a production message ends or is unconfirmed": Production.productionRests,
  "what the platform took ends as it says": Production.endsAsThePlatformSays,
  "posted again only after a refusal": Production.postedAgainOnlyWhenRefused,
  "nothing is tried again after a stored report": Production.notTriedAfterReport,
  "a message that was carried is charged once": Production.carriedIsChargedOnce,
  "only what is stored is posted": Production.postedIsStored,
  "ambiguous is at most what was on the wire": Production.ambiguousIsBounded,
  "a batch reaches everyone once": Batches.everyoneOnce,
  "one batch per idempotency key": Batches.oneBatchPerKey,
  "a batch counts what its messages came to": Batches.batchesCount,
  "a payment is there once for its key": Payments.acceptedIsKept,
  "every payment and its fee come to their end": Payments.everythingEnds,
  "a payment is created at its provider once": Payments.createdOnce,
  "only stored payments are created": Payments.createdIsStored,
  "payments end as their provider says": Payments.endsAsTheVendorSays,
  "each fee moves once, as its payment ends": Payments.feesMoveOnce,
  "no fee without its payment": Payments.feesHaveTheirPayment,
  "balance and held credit are what the ledger adds up to": Payments.ledgerAddsUp,
  "no authorization is open at its provider that is over here": overIsClosedThere,
  "what a vendor took is credited once": Money.takenIsCreditedOnce,
  "what is credited was taken by its vendor": Money.creditedWasTaken,
  "a vendor is not asked again for what it has": Money.neverAskedTwice,
  "one key buys one package": Money.oneTopupAKey,
  "vendors misbehave as they are told": Strikes.dueFaultsStrike,
  "a group is there once for its key": Groups.groupsAreKept,
  "every group comes to rest": Groups.groupsRest,
  "a group is created at its platform once": Groups.groupsAreCreatedOnce,
  "only stored groups are created": Groups.createdGroupsAreStored,
  "groups stand as their platform says": Groups.groupsStandAsThePlatformSays,
  "processes end only when told": processesLive
} as const satisfies Record<string, Check>
export type Promised = keyof typeof checks

export interface Verdict {
  readonly promise: Promised
  readonly violations: ReadonlyArray<string>
}

/** What every check says. */
export const judge = (evidence: Evidence): ReadonlyArray<Verdict> =>
  Object.entries(checks).map(([promise, check]) => ({ promise: promise as Promised, violations: check(evidence) }))
