import { apiError } from "../conventions/ApiError.ts"

/** Refuses when a sandbox body or query breaks the contract. gaps-2 A "New error codes" */
export class InvalidSandboxRequest extends apiError("invalid_sandbox_request", {
  status: 400,
  type: "validation_error",
  message: "The sandbox request is not valid."
}) {}

/** The reasons why an advance of the clock stopped before its end. */
export const sandboxClockStops = ["too_many_steps", "step_not_settled"] as const

/** Refuses a second advance or reset of the clock while one runs. */
export class SandboxClockAdvancing extends apiError("sandbox_clock_advancing", {
  status: 409,
  type: "conflict",
  message: "An advance or a reset of this sandbox's clock is under way; read it until it is settled, then ask again."
}) {}

/** Refuses when the calling key's environment has no such advance. */
export class SandboxClockAdvanceNotFound extends apiError("sandbox_clock_advance_not_found", {
  status: 404,
  type: "not_found",
  message: "No advance of this sandbox's clock with this id."
}) {}
