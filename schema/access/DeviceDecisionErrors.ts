import { apiError } from "../conventions/ApiError.ts"

/** Refuses a decision whose fields break the contract. */
export class InvalidDeviceDecision extends apiError("invalid_device_decision", {
  status: 400,
  type: "validation_error",
  message: "The decision about the device is invalid."
}) {}

/** Refuses when no open request has the code or the id. gaps-1 E "Verification page" */
export class DeviceRequestNotFound extends apiError("device_request_not_found", {
  status: 404,
  type: "not_found",
  message: "The request was decided already, or its 15 minutes are over."
}) {}

/** Refuses to bind the key to a project that is archived or not of the organization. gaps-1 E "Verification page" */
export class DeviceProjectNotFound extends apiError("device_project_not_found", {
  status: 404,
  type: "not_found",
  message: "The project is gone or archived. Nothing was decided; go back and pick another one."
}) {}
