import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect } from "effect"
import type { Row } from "../../platform/commit/Write.ts"

/** A project about to be made; its id is minted by whoever decides to make it. */
export interface NewProject {
  readonly organization_id: string
  readonly id: string
  readonly name: string
  readonly slug: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** The ids of the two environments that come with a project. */
export interface ProjectEnvironments {
  readonly sandbox_id: string
  readonly production_id: string
}

/** What an operator says to begin with. gaps-1 C "First administrative key and bootstrap" */
export interface NewOrganization {
  readonly name: string
  readonly owner: { readonly name: string; readonly email: string }
  readonly project: { readonly name: string; readonly slug: string }
}

/** Where an organization came to be. */
export interface CreatedOrganization extends ProjectEnvironments {
  readonly organization_id: string
  readonly member_id: string
  readonly project_id: string
}

/** How organizations, projects and environments come to be; every way in passes here. A-CONV-02, A-PROJ-06 */
export class Tenancy extends Context.Service<
  Tenancy,
  {
    /** Organization, owner member and first project with both environments, in one commit. Milliseconds. */
    createOrganization(plan: NewOrganization, now: number): Effect.Effect<CreatedOrganization, ApiError>
    /**
     * Rows of a project, its environments and what other rooms put into them. Whoever commits them decides in the same
     * commit whether there is room for the project.
     */
    projectRows(project: NewProject): ProjectEnvironments & { readonly rows: ReadonlyArray<Row> }
  }
>()("@carteiro/runtime/access/tenancy/Tenancy") {}
