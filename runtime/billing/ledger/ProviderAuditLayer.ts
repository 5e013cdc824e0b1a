import { CardProcessor } from "@carteiro/provider/payments/CardProvider.ts"
import { PlatformPix } from "@carteiro/provider/payments/PixCharges.ts"
import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { Clock, Effect, Layer } from "effect"
import { lookUpCard } from "../charges/CardCalls.ts"
import { type Charge, type ChargeSeen, isContradicted } from "../charges/Charge.ts"
import { ChargeRepo } from "../charges/ChargeRepo.ts"
import { lookAtPix } from "../charges/PixCalls.ts"
import { ProviderAudit } from "./ProviderAudit.ts"

/** The age in milliseconds up to which ended charges are compared, and the most charges that are. */
const comparedMs = 7 * dayMs
const compared = 10_000
/** The concurrent look-ups; a provider that answers none of so many is not called any more. */
const parallel = 8

export const providerAuditLayer = Layer.effect(
  ProviderAudit,
  Effect.gen(function* () {
    const repo = yield* ChargeRepo
    const cards = yield* CardProcessor
    const pix = yield* PlatformPix

    const look = (charge: Charge, now: number): Effect.Effect<ChargeSeen> => {
      if (charge.rail === "card") return cards === undefined ? unknown : lookUpCard(cards, charge)
      return pix === undefined ? unknown : lookAtPix(pix, charge, now)
    }

    /** True when a charge is still in the compared state: a charge that changed meanwhile is no finding. */
    const stands = ({ account_id, id, state }: Charge & { readonly account_id: string }) =>
      Effect.map(repo.find(account_id, id), (charge) => charge?.state === state)

    return ProviderAudit.of({
      verify: Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const broken: Array<string> = []
        let checked = 0
        for (const rail of ["card", "pix"] as const) {
          const charges = yield* repo.ended(rail, now - comparedMs, compared)
          for (let at = 0; at < charges.length; at += parallel) {
            const some = charges.slice(at, at + parallel)
            const seen = yield* Effect.forEach(some, (charge) => look(charge, now), { concurrency: parallel })
            if (seen.every(({ _tag }) => _tag === "Unknown")) break
            for (const [n, charge] of some.entries()) {
              const shown = seen[n]
              if (shown === undefined || shown._tag === "Unknown") continue
              checked++
              if (isContradicted(charge, shown) && (yield* stands(charge))) broken.push(charge.id)
            }
          }
        }
        return { invariant, checked, broken: broken.slice(0, 100) }
      })
    })
  })
).pipe(Layer.provide(ChargeRepo.layer))

const invariant = "what providers took, or gave back, is what the charges of a week say"

const unknown: Effect.Effect<ChargeSeen> = Effect.succeed({ _tag: "Unknown" })
