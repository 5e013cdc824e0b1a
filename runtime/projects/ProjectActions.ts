import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { CreateProject } from "@carteiro/schema/projects/Project.ts"
import { Context, type Effect } from "effect"
import type { Reply } from "../platform/http/contract/Reply.ts"
import type { ApiCall } from "../platform/tenancy/ApiCall.ts"

/** What can be done to projects; instants in milliseconds. gaps-1 C "Archived and deleted projects", gaps-1 G */
export class ProjectActions extends Context.Service<
  ProjectActions,
  {
    /** A project with both environments; its slug and place are decided in the same commit. A-PROJ-05..13 */
    create(call: ApiCall<"organization_id">, body: CreateProject): Effect.Effect<Reply, ApiError>
    /** Hides a project from project routes and key minting; again changes nothing. A-PROJ-17 */
    archive(organizationId: string, id: string, now: number): Effect.Effect<void, ApiError>
    /** Undoes `archive`, while there is a place for it. */
    restore(organizationId: string, id: string, now: number): Effect.Effect<void, ApiError>
    /** Deletes a project for good: its keys answer 404 from the next request on. A-AUTH-13..15 */
    remove(organizationId: string, id: string, now: number): Effect.Effect<void, ApiError>
  }
>()("@carteiro/runtime/projects/ProjectActions") {}
