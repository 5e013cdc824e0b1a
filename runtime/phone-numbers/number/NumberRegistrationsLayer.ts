import { Commit } from "@carteiro/owners/Commit.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Effect, Layer } from "effect"
import { enterPin } from "./NumberFacts.ts"
import { NumberRegistrationRepo } from "./NumberRegistrationRepo.ts"
import { NumberRegistrations, registrationPin, sealPin } from "./NumberRegistrations.ts"

export const numberRegistrationsLayer = Layer.effect(
  NumberRegistrations,
  Effect.gen(function* () {
    const repo = yield* NumberRegistrationRepo
    const secrets = yield* Secrets
    const commit = yield* Commit
    return NumberRegistrations.of({
      find: (environmentId, id) =>
        Effect.map(repo.find(environmentId, id), (row) => {
          if (row === undefined) return undefined
          const { sealed, ...registration } = row
          const isKnown = registration.state !== "pin_required"
          return { ...registration, pin: isKnown ? registrationPin(secrets, id, sealed) : null }
        }),
      enterPin: (environment_id, id, pin) =>
        Effect.map(
          commit.write([enterPin.row({ environment_id, id, registration_pin: sealPin(secrets, id, pin) })]),
          (keys) => keys(enterPin.name).has(id)
        )
    })
  })
).pipe(Layer.provide(NumberRegistrationRepo.layer))
