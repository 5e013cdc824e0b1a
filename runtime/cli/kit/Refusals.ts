import { apiError } from "@carteiro/schema/conventions/ApiError.ts"

/** The API never says this: a key knows its own environment only. */
export class EnvironmentNotFound extends apiError("environment_not_found", {
  status: 404,
  type: "not_found",
  message: "No environment with this id."
}) {}
