import type { Refusals } from "../Refusals.ts"
import type { Outcome } from "./Behaviour.ts"

/** An outcome in JSON: the members of a refusal, or an empty object for an answer that is undefined. */
export type WireOutcome =
  | { readonly ok?: unknown }
  | { readonly error: unknown }
  | Extract<Outcome<unknown>, { readonly retry: unknown }>
  | Extract<Outcome<unknown>, { readonly defect: unknown }>

/** Returns an outcome as it travels between nodes. */
export const toWire = ({ encode }: Pick<Refusals["Service"], "encode">, outcome: Outcome<unknown>): WireOutcome =>
  "error" in outcome ? { error: encode(outcome.error) } : outcome

/** Returns the outcome that the other end sent. */
export const fromWire = ({ decode }: Pick<Refusals["Service"], "decode">, outcome: WireOutcome): Outcome<unknown> => {
  if ("error" in outcome) {
    const error = decode(outcome.error)
    return error === undefined ? { defect: "an unknown refusal of another node" } : { error }
  }
  if ("retry" in outcome) return outcome
  if ("defect" in outcome) return outcome
  return { ok: outcome.ok }
}
