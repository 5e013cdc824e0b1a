import { apiError } from "../conventions/ApiError.ts"

/** Refuses when a contact body breaks the contract. gaps-2 A "New error codes" */
export class InvalidContactRequest extends apiError("invalid_contact_request", {
  status: 400,
  type: "validation_error",
  message: "The contact request is not valid."
}) {}

/** Refuses when a contact does not exist, was erased, or belongs to another environment. gaps-2 A "New error codes" */
export class ContactNotFound extends apiError("contact_not_found", {
  status: 404,
  type: "not_found",
  message: "No contact with this id."
}) {}

/** Refuses when a data retention body breaks the contract. gaps-2 A "New error codes" */
export class InvalidDataRetentionRequest extends apiError("invalid_data_retention_request", {
  status: 400,
  type: "validation_error",
  message: "The data retention request is not valid."
}) {}

/** Refuses when the environment's policy forbids exports. A-ERR-31, M-CON-09 */
export class DataExportDisabled extends apiError("data_export_disabled", {
  status: 403,
  type: "authorization_error",
  message: "Exports are switched off for this environment; switch them on with PATCH /v1/data-retention."
}) {}
