import { apiError } from "../conventions/ApiError.ts"

/** A sandbox body or query breaks the contract. gaps-2 A "New error codes" */
export class InvalidSandboxRequest extends apiError("invalid_sandbox_request", {
  status: 400,
  type: "validation_error",
  message: "The sandbox request is not valid."
}) {}
