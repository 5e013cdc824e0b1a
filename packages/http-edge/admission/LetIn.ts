import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect } from "effect"
import type { Admission, AdmitInput, Admitted, Person } from "./Admission.ts"

/**
 * One admitted caller. Only admission makes one, and a handler behind a key takes one, so that no request reaches such
 * a handler without admission. A-AUTH-01
 */
export class LetIn {
  readonly #admitted: Admitted

  private constructor(admitted: Admitted) {
    this.#admitted = admitted
  }

  get admitted(): Admitted {
    return this.#admitted
  }

  /** Asks for the admission of the key, or of the person who has none; fails with the refusal. */
  static ask(admission: Admission["Service"], input: AdmitInput, person?: Person): Effect.Effect<LetIn, ApiError> {
    const admitted = person === undefined ? admission.admit(input) : admission.admitPerson(person, input)
    return Effect.map(admitted, (admitted) => new LetIn(admitted))
  }
}
