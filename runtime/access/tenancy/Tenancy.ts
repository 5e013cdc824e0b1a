import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import type { RealInstant } from "@carteiro/owners/RealTime.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { EnvironmentCreated } from "../../tenancy/EnvironmentCreated.ts"
import { StartingCredit } from "./StartingCredit.ts"
import { insertOrganization, insertProject } from "./TenancyWrites.ts"

/** A new project; its caller mints the id. */
export interface NewProject {
  readonly organization_id: string
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly at: RealInstant
}

/** The ids of the two environments that come with a project. */
export interface ProjectEnvironments {
  readonly sandbox_id: string
  readonly production_id: string
}

/** A new organization as an operator requests it. gaps-1 C "First administrative key and bootstrap" */
export interface NewOrganization {
  readonly name: string
  readonly owner: { readonly name: string; readonly email: string }
  readonly project: { readonly name: string; readonly slug: string }
}

/** The ids of a new organization, its project and environments. */
export interface CreatedOrganization extends ProjectEnvironments {
  readonly organization_id: string
  readonly member_id: string
  readonly project_id: string
}

/** Creates organizations, projects and environments; there is no other way. A-CONV-02, A-PROJ-06 */
export class Tenancy extends Context.Service<
  Tenancy,
  {
    /** Creates organization, owner member and first project with both environments, in one commit. */
    createOrganization(plan: NewOrganization, now: RealInstant): Effect.Effect<CreatedOrganization, ApiError>
    /**
     * Returns the rows of a project, its environments and other rooms' content of them. The caller decides in the same
     * commit whether the organization has room for the project.
     */
    projectRows(project: NewProject): ProjectEnvironments & { readonly rows: ReadonlyArray<Row> }
  }
>()("@carteiro/runtime/access/tenancy/Tenancy") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const commit = yield* Commit
      const ids = yield* Ids
      const created = yield* EnvironmentCreated
      const credit = yield* StartingCredit

      const projectRows = (project: NewProject) => {
        const { organization_id, id: project_id, at } = project
        const sandbox_id = ids.mint("env", at)
        const production_id = ids.mint("env", at)
        const environments = [
          { organization_id, project_id, environment_id: sandbox_id, kind: "sandbox", at },
          { organization_id, project_id, environment_id: production_id, kind: "production", at }
        ] as const
        return {
          sandbox_id,
          production_id,
          rows: [
            insertProject.row({ ...project, sandbox_id, production_id }),
            ...environments.flatMap((environment) => created.flatMap((rowsFor) => rowsFor(environment)))
          ]
        }
      }

      return Tenancy.of({
        projectRows,
        createOrganization: Effect.fnUntraced(function* (plan, now) {
          const organization_id = ids.mint("org", now)
          const member_id = ids.mint("mem", now)
          const project_id = ids.mint("prj", now)
          const { rows, ...environments } = projectRows({ ...plan.project, organization_id, id: project_id, at: now })
          const organization = insertOrganization.row({
            id: organization_id,
            name: plan.name,
            member_id,
            member_name: plan.owner.name,
            email: plan.owner.email,
            credit_blocked: credit.isBlocked,
            at: now
          })
          yield* commit.write([organization, ...rows, ...credit.rows(organization_id, now)])
          return { organization_id, member_id, project_id, ...environments }
        })
      })
    })
  )
}
