import { Effect, Layer } from "effect"
import type { Row } from "../platform/commit/Write.ts"
import { Ids } from "../platform/ids/Ids.ts"
import { ActiveSenders } from "../platform/tenancy/ActiveSenders.ts"
import type { NewEnvironment } from "../platform/tenancy/EnvironmentCreated.ts"
import { fictitiousNumber, PhoneNumberRepo } from "./PhoneNumberRepo.ts"

export { fictitiousNumber, PhoneNumberRepo } from "./PhoneNumberRepo.ts"

/** Services of the room; stateless, so that each may provide them for itself. */
export const layer = PhoneNumberRepo.layer

/** Tells other rooms how many active numbers an environment has. gaps-1 E "200 body" */
export const activeSenders = Layer.effect(
  ActiveSenders,
  Effect.map(PhoneNumberRepo, (repo) => (environmentId: string) => repo.countActive(environmentId))
).pipe(Layer.provide(layer))

/** Gives every new sandbox environment one active number, in the commit that makes it. gaps-2 J "Quickstart content" */
export const seedNumbers = Effect.map(
  Ids,
  (ids) =>
    (environment: NewEnvironment): ReadonlyArray<Row> =>
      environment.kind === "sandbox" ? [fictitiousNumber({ ...environment, id: ids.mint("pn", environment.at) })] : []
)
