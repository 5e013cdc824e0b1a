import type { Faults } from "./Faults.ts"
import type { Call, SimulatedAnswer } from "./Routes.ts"

/** Faults before the effect: the vendor does not have the call. */
const before = ["timeout", "reset", "error_500"] as const
/** Faults after the effect: the vendor has the call and only the response is lost. */
const after = ["timeout_after", "reset_after", "error_500_after"] as const

/** Faults of lost calls by name, which every vendor has. */
export const lostCallNames = [...before, ...after] as const

/** The end of a call with a fault. */
export interface Struck {
  readonly name: string
  /** The response; undefined when the call is left unanswered. */
  readonly answer: SimulatedAnswer | undefined
}

/** Returns the refusal, by a code of the vendor, or the lost call that a fault causes before the effect. */
export const strikeBefore = <Code extends string>(
  faults: Faults,
  codes: ReadonlyArray<Code>,
  refuse: (code: Code, value: number | undefined) => SimulatedAnswer,
  operation: string,
  call: Call
): Struck | undefined => {
  const fault = faults.hit([...codes, ...before], { operation })
  if (fault === undefined) return undefined
  const code = codes.find((one) => one === fault.name)
  return { name: fault.name, answer: code === undefined ? lost(fault.name, call) : refuse(code, fault.value) }
}

/** Returns the lost response that a fault causes after the effect. */
export const strikeAfter = (faults: Faults, operation: string, call: Call): Struck | undefined => {
  const fault = faults.hit(after, { operation })
  return fault && { name: fault.name, answer: lost(fault.name, call) }
}

const lost = (name: string, { response }: Call): SimulatedAnswer | undefined => {
  if (name.startsWith("error_500")) return { status: 500, body: { error: { code: "internal", message: "simulated" } } }
  if (name.startsWith("reset")) response.destroy()
  return undefined
}
