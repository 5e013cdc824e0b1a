import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect } from "effect"
import type { Admission, AdmitInput, AdmitPersonInput, Admitted, Person } from "./Admission.ts"

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

  /** Asks for admission; fails with the refusal. */
  static ask(admission: Admission["Service"], input: AdmitInput): Effect.Effect<LetIn, ApiError> {
    return Effect.map(admission.admit(input), (admitted) => new LetIn(admitted))
  }

  /** Asks for the admission of a person; fails with the refusal. */
  static askPerson(
    admission: Admission["Service"],
    person: Person,
    input: AdmitPersonInput
  ): Effect.Effect<LetIn, ApiError> {
    return Effect.map(admission.admitPerson(person, input), (admitted) => new LetIn(admitted))
  }
}
