import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect } from "effect"
import type { Admission, AdmitInput, Admitted } from "./Admission.ts"

/**
 * One caller whom admission let in. Asking admission is the only way to one, and a handler behind a key takes one: what
 * skips the question has nothing to call the handler with. A-AUTH-01
 */
export class LetIn {
  readonly #admitted: Admitted

  private constructor(admitted: Admitted) {
    this.#admitted = admitted
  }

  get admitted(): Admitted {
    return this.#admitted
  }

  /** Asks admission; a refusal lets nobody in. */
  static ask(admission: Admission["Service"], input: AdmitInput): Effect.Effect<LetIn, ApiError> {
    return Effect.map(admission.admit(input), (admitted) => new LetIn(admitted))
  }
}
