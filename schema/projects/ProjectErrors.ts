import { apiError } from "../conventions/ApiError.ts"

/** Refuses when a project body or list query breaks the contract. A-PROJ-10, A-PROJ-18 */
export class InvalidProjectBody extends apiError("invalid_project_body", {
  status: 400,
  type: "validation_error",
  message: "The project request is invalid."
}) {}

/** Refuses when the given slug is in use in the organization. A-PROJ-11 */
export class ProjectSlugTaken extends apiError("project_slug_taken", {
  status: 409,
  type: "conflict",
  message: "A project of this organization already has this slug."
}) {}

/** Refuses more than 100 active projects per organization. gaps-1 G "Number of projects" */
export class ProjectLimitReached extends apiError("project_limit_reached", {
  status: 409,
  type: "conflict",
  message: "This organization holds the largest allowed number of active projects."
}) {}
