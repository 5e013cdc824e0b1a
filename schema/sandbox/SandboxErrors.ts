import { apiError } from "../conventions/ApiError.ts"

/** A production key on a sandbox route. M-SBX-01, gaps-2 A "Production key on a sandbox route" */
export class SandboxOnlyRoute extends apiError("sandbox_only_route", {
  status: 400,
  type: "validation_error",
  message: "This route works with sandbox keys only."
}) {}

/** A sandbox body or query breaks the contract. gaps-2 A "New error codes" */
export class InvalidSandboxRequest extends apiError("invalid_sandbox_request", {
  status: 400,
  type: "validation_error",
  message: "The sandbox request is not valid."
}) {}
