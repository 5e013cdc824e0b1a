import { type DueOwners, wakeAfterCommit } from "@carteiro/owners/DueWork.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect, Layer } from "effect"
import { defineRoom } from "../room/Room.ts"
import { ActiveSenders } from "../tenancy/ActiveSenders.ts"
import { CountedNumbers } from "../tenancy/CountedNumbers.ts"
import type { NewEnvironment } from "../tenancy/EnvironmentCreated.ts"
import { NumberLifecycleRepo, numbersOfTenant } from "./lifecycle/NumberLifecycleRepo.ts"
import { NumberLifecycles } from "./lifecycle/NumberLifecycles.ts"
import { NumberLifecycleWorker, numberLifecycleOwners } from "./lifecycle/NumberLifecycleWorker.ts"
import { MonthNumbers } from "./number/MonthNumbers.ts"
import { NumberDirectory } from "./number/NumberDirectory.ts"
import { fictitiousNumber } from "./number/NumberFacts.ts"
import { NumberReads } from "./number/NumberReads.ts"
import { numberRegistrationsLayer } from "./number/NumberRegistrationsLayer.ts"
import { hastenVerifying, requestRelease } from "./number/NumberWrites.ts"
import { rostersLayer } from "./number/RostersLayer.ts"
import { NumberActions } from "./routes/NumberActions.ts"
import { NumberDetailsHttp } from "./routes/NumberDetailsHttp.ts"
import { numberImportLayer } from "./routes/NumberImportLayer.ts"
import { PhoneNumbersHttp } from "./routes/PhoneNumbersHttp.ts"

/** Provides other rooms with the number of active numbers of an environment. gaps-1 E "200 body" */
const activeSenders = Layer.effect(
  ActiveSenders,
  Effect.map(NumberDirectory, (repo) => (environmentId: string) => repo.countActive(environmentId))
).pipe(Layer.provide(NumberDirectory.layer))

/**
 * Provides billing with the count of numbers that a plan must allow. gaps-3 E "Phone count for
 * plan_phone_limit_reached"
 */
const countedNumbers = Layer.effect(
  CountedNumbers,
  Effect.map(
    NumberDirectory,
    (repo) => (accountId: string) =>
      Effect.map(repo.roster(accountId, accountId.startsWith("org_") ? "production" : "sandbox"), ({ count }) => count)
  )
).pipe(Layer.provide(NumberDirectory.layer))

/**
 * Gives every new sandbox environment one active number, in the commit that creates the environment. gaps-2 J
 * "Quickstart content"
 */
const seedNumbers = Effect.map(
  Ids,
  (ids) =>
    (environment: NewEnvironment): ReadonlyArray<Row> =>
      environment.kind === "sandbox" ? [fictitiousNumber({ ...environment, id: ids.mint("pn", environment.at) })] : []
)

/** Returns numbers that are due. */
const due: DueOwners["due"] = (now, after, limit) =>
  Effect.provide(
    Effect.flatMap(NumberLifecycleRepo, (repo) => repo.due(now, after, limit)),
    NumberLifecycleRepo.layer
  )

/**
 * Wakes the owners of numbers after a release request, and of waiting numbers after a connection is made; the sweeper
 * catches a missed wake-up.
 */
const waking = Layer.merge(
  wakeAfterCommit(NumberLifecycleWorker.name, hastenVerifying.name),
  wakeAfterCommit(NumberLifecycleWorker.name, requestRelease.name)
)

/** Wakes the owners of numbers, on nodes that host them and on others. */
const lifecycles = Layer.effect(
  NumberLifecycles,
  Effect.map(NumberLifecycleWorker.client, ({ wake }) => NumberLifecycles.of({ wake }))
)

/** The phone-numbers room: the numbers of an environment. */
export const room = defineRoom({
  name: "phone-numbers",
  environment: seedNumbers,
  answers: Layer.merge(activeSenders, countedNumbers),
  services: Layer.mergeAll(NumberReads.layer, numberRegistrationsLayer, rostersLayer, MonthNumbers.layer).pipe(
    Layer.provideMerge(NumberDirectory.layer)
  ),
  actions: Layer.provideMerge(numberImportLayer, lifecycles),
  routes: Layer.merge(PhoneNumbersHttp.pipe(Layer.provide(NumberActions.layer)), NumberDetailsHttp),
  owners: Layer.merge(numberLifecycleOwners, waking).pipe(Layer.provide(NumberLifecycleRepo.layer)),
  due: [Effect.succeed({ type: NumberLifecycleWorker.name, due, ofTenant: numbersOfTenant })]
})
