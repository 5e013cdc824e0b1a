import { Effect, Layer } from "effect"
import { NumberTraffic } from "../../phone-numbers/PhoneNumbers.ts"
import { remainingAllowance } from "../pacing/Allowance.ts"
import { PacingRepo } from "../pacing/PacingRepo.ts"
import { MessageRepo } from "./MessageRepo.ts"

/** Provides the phone-numbers room with reads of numbers' messages. M-PHN-15..19, M-PHN-23 */
export const numberTraffic = Layer.effect(
  NumberTraffic,
  Effect.gen(function* () {
    const pacing = yield* PacingRepo
    const messages = yield* MessageRepo
    return NumberTraffic.of({
      recipients: pacing.countRecipients,
      ofPortfolios: pacing.countPortfolios,
      remaining: remainingAllowance,
      recent: messages.recent
    })
  })
)
