import type { Faults } from "./Faults.ts"
import type { Answered, Call } from "./Routes.ts"

/** Hits before anything is done: the vendor does not have it. */
const before = ["timeout", "reset", "error_500"] as const
/** Hits when the vendor has it and only the answer is lost. */
const after = ["timeout_after", "reset_after", "error_500_after"] as const

/** Lost calls by name, which every vendor has. */
export const lostCallNames = [...before, ...after] as const

/** How a call ends by fault. */
export interface Struck {
  readonly name: string
  /** Undefined: it is left without an answer. */
  readonly answer: Answered | undefined
}

/** The refusal, by a code of the vendor's, or the lost call that hits before anything is done. */
export const strikeBefore = <Code extends string>(
  faults: Faults,
  codes: ReadonlyArray<Code>,
  refuse: (code: Code, value: number | undefined) => Answered,
  operation: string,
  call: Call
): Struck | undefined => {
  const fault = faults.hit([...codes, ...before], { operation })
  if (fault === undefined) return undefined
  const code = codes.find((one) => one === fault.name)
  return { name: fault.name, answer: code === undefined ? lost(fault.name, call) : refuse(code, fault.value) }
}

/** The lost answer of a call that was done. */
export const strikeAfter = (faults: Faults, operation: string, call: Call): Struck | undefined => {
  const fault = faults.hit(after, { operation })
  return fault && { name: fault.name, answer: lost(fault.name, call) }
}

const lost = (name: string, { response }: Call): Answered | undefined => {
  if (name.startsWith("error_500")) return { status: 500, body: { error: { code: "internal", message: "simulated" } } }
  if (name.startsWith("reset")) response.destroy()
  return undefined
}
