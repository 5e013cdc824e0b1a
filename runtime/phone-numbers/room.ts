import { type DueOwners, wakeAfterCommit } from "@carteiro/owners/DueWork.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect, Layer } from "effect"
import { defineRoom } from "../room/Room.ts"
import { ActiveSenders } from "../tenancy/ActiveSenders.ts"
import { CountedNumbers } from "../tenancy/CountedNumbers.ts"
import type { NewEnvironment } from "../tenancy/EnvironmentCreated.ts"
import { NumberLifecycleEntity, numberLifecycleOwners } from "./lifecycle/NumberLifecycleEntity.ts"
import { NumberLifecycleRepo, numbersOfTenant } from "./lifecycle/NumberLifecycleRepo.ts"
import { NumberLifecycles } from "./lifecycle/NumberLifecycles.ts"
import { MonthNumbers } from "./months/MonthNumbers.ts"
import { NumberDirectory } from "./number/NumberDirectory.ts"
import { fictitiousNumber } from "./number/NumberFacts.ts"
import { NumberReads } from "./number/NumberReads.ts"
import { hastenVerifying, requestRelease } from "./number/NumberWrites.ts"
import { rostersLayer } from "./number/RostersLayer.ts"
import { NumberActions } from "./routes/NumberActions.ts"
import { numberImportLayer } from "./routes/NumberImportLayer.ts"
import { PhoneNumbersHttp } from "./routes/PhoneNumbersHttp.ts"

/** Tells other rooms how many active numbers an environment has. gaps-1 E "200 body" */
const activeSenders = Layer.effect(
  ActiveSenders,
  Effect.map(NumberDirectory, (repo) => (environmentId: string) => repo.countActive(environmentId))
).pipe(Layer.provide(NumberDirectory.layer))

/** Tells billing how many numbers a plan has to allow. gaps-3 E "Phone count for plan_phone_limit_reached" */
const countedNumbers = Layer.effect(
  CountedNumbers,
  Effect.map(
    NumberDirectory,
    (repo) => (accountId: string) =>
      Effect.map(repo.roster(accountId, accountId.startsWith("org_") ? "production" : "sandbox"), ({ count }) => count)
  )
).pipe(Layer.provide(NumberDirectory.layer))

/** Gives every new sandbox environment one active number, in the commit that makes it. gaps-2 J "Quickstart content" */
const seedNumbers = Effect.map(
  Ids,
  (ids) =>
    (environment: NewEnvironment): ReadonlyArray<Row> =>
      environment.kind === "sandbox" ? [fictitiousNumber({ ...environment, id: ids.mint("pn", environment.at) })] : []
)

/** Numbers whose state time moves. Architecture, section 2 "Volatile messages, durable rows" */
const due: DueOwners["due"] = (now, after, limit) =>
  Effect.provide(
    Effect.flatMap(NumberLifecycleRepo, (repo) => repo.due(now, after, limit)),
    NumberLifecycleRepo.layer
  )

/**
 * Looks at numbers as soon as they are given back, and at those that wait for a connection as soon as one is made; best
 * effort, the sweeper is the guarantee.
 */
const waking = Layer.merge(
  wakeAfterCommit(NumberLifecycleEntity.name, hastenVerifying.name),
  wakeAfterCommit(NumberLifecycleEntity.name, requestRelease.name)
)

/** Wakes the workers of numbers, on nodes with or without them. */
const lifecycles = Layer.effect(
  NumberLifecycles,
  Effect.map(NumberLifecycleEntity.client, ({ wake }) => NumberLifecycles.of({ wake }))
)

/** The numbers of an environment. */
export const room = defineRoom({
  name: "phone-numbers",
  environment: seedNumbers,
  answers: Layer.merge(activeSenders, countedNumbers),
  services: Layer.mergeAll(NumberReads.layer, rostersLayer, MonthNumbers.layer).pipe(
    Layer.provideMerge(NumberDirectory.layer)
  ),
  actions: Layer.provideMerge(numberImportLayer, lifecycles),
  routes: PhoneNumbersHttp.pipe(Layer.provide(NumberActions.layer)),
  owners: Layer.merge(numberLifecycleOwners, waking).pipe(Layer.provide(NumberLifecycleRepo.layer)),
  due: [Effect.succeed({ type: NumberLifecycleEntity.name, due, ofTenant: numbersOfTenant })]
})
