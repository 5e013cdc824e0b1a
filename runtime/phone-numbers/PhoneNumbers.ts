import { Effect, Layer } from "effect"
import type { Row } from "../platform/commit/Write.ts"
import { Ids } from "../platform/ids/Ids.ts"
import { defineRoom } from "../platform/room/Room.ts"
import { ActiveSenders } from "../platform/tenancy/ActiveSenders.ts"
import type { NewEnvironment } from "../platform/tenancy/EnvironmentCreated.ts"
import { fictitiousNumber, PhoneNumberRepo } from "./PhoneNumberRepo.ts"

export { coverNumber, fictitiousNumber, PhoneNumberRepo, reportName, reportQuality } from "./PhoneNumberRepo.ts"

/** Tells other rooms how many active numbers an environment has. gaps-1 E "200 body" */
const activeSenders = Layer.effect(
  ActiveSenders,
  Effect.map(PhoneNumberRepo, (repo) => (environmentId: string) => repo.countActive(environmentId))
).pipe(Layer.provide(PhoneNumberRepo.layer))

/** Gives every new sandbox environment one active number, in the commit that makes it. gaps-2 J "Quickstart content" */
const seedNumbers = Effect.map(
  Ids,
  (ids) =>
    (environment: NewEnvironment): ReadonlyArray<Row> =>
      environment.kind === "sandbox" ? [fictitiousNumber({ ...environment, id: ids.mint("pn", environment.at) })] : []
)

/** The numbers of an environment. */
export const room = defineRoom({
  name: "phone-numbers",
  environment: seedNumbers,
  answers: activeSenders,
  services: PhoneNumberRepo.layer
})
