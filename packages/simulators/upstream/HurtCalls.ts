import type { Faults } from "../kit/Faults.ts"
import type { Call, SimulatedAnswer } from "../kit/Routes.ts"
import { vendorError } from "./VendorErrors.ts"

/** Faults of any call except a send, where a fault names its operation: before its effect, or after. */
export const callFaults = [
  "reset_before",
  "reset_after",
  "timeout_before",
  "timeout_after",
  "error_500",
  "refuse",
  "malformed"
] as const

/** The end of a call, for the log: `status` is null without a response. */
export interface Ended {
  readonly status: number | null
  readonly fault: string | null
}

/** Runs a call with its faults. */
export const hurtCall = (
  faults: Faults,
  operation: string,
  call: Call,
  run: () => SimulatedAnswer,
  note: (ended: Ended) => void = () => {}
): SimulatedAnswer | undefined => {
  const fault = faults.hitNamed(callFaults, operation)
  const end = (answer: SimulatedAnswer | undefined): SimulatedAnswer | undefined => {
    note({ status: answer?.status ?? null, fault: fault?.name ?? null })
    return answer
  }
  switch (fault?.name) {
    case "reset_before":
      call.response.destroy()
      return end(undefined)
    case "timeout_before":
      return end(undefined)
    case "error_500":
      return end(vendorError(fault.value ?? 131000, undefined, 500))
    case "refuse":
      return end(vendorError(fault.value ?? 100))
  }
  const answer = run()
  if (fault?.name === "malformed") return end({ status: 200, body: Buffer.from("<html>ok</html>") })
  end(answer)
  if (fault?.name === "reset_after") call.response.destroy()
  return fault === undefined ? answer : undefined
}
