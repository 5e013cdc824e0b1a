import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { EnvironmentKind, Traits } from "../conventions/Access.ts"
import { id, pathId, TraceId } from "../conventions/Ids.ts"
import { pageOf, pageQuery } from "../conventions/Page.ts"
import {
  IdempotencyKeyConflict,
  InvalidCursor,
  OrganizationNotFound,
  ProjectNotFound
} from "../conventions/SharedErrors.ts"
import { label } from "../conventions/Text.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { InvalidProjectBody, ProjectLimitReached, ProjectSlugTaken } from "./ProjectErrors.ts"

/** Languages for new templates of a project. A-PROJ-02 */
export const DefaultLanguage = Schema.Literals(["pt_BR", "en_US", "es_ES"]).annotate({
  description: "Default language of new templates."
})
export type DefaultLanguage = typeof DefaultLanguage.Type

/** The country in which a project reads phone numbers. gaps-2 A "Phones outside `recipient.id`" */
export const DefaultRegion = Schema.String.annotate({
  description:
    "ISO 3166 code of the country in which phone numbers without + or 00 are read; BR unless it was changed in the console.",
  examples: ["BR"]
})

/** One of the two environments of a project. gaps-1 G "Environment items" */
export const Environment = Schema.Struct({
  id: id("env"),
  object: Schema.Literal("environment"),
  kind: EnvironmentKind,
  created_at: Timestamp
}).annotate({ identifier: "Environment" })
export type Environment = typeof Environment.Type

const projectFields = {
  id: id("prj"),
  object: Schema.Literal("project"),
  name: Schema.String.annotateKey({ description: "Name of the project." }),
  slug: Schema.String.annotateKey({ description: "Short name, unique in the organization." }),
  default_language: DefaultLanguage,
  default_region: DefaultRegion,
  profile: Schema.Record(Schema.String, Schema.Unknown).annotate({
    description: "Business profile; may be empty."
  }),
  archived_at: Schema.NullOr(Timestamp).annotate({
    description: "Time of archiving; null while the project is active."
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
  environments: Schema.Array(Environment).annotate({
    description: "The sandbox environment, then the production environment."
  })
}

/** A project as reads return it. A-PROJ-01..04 */
export const Project = Schema.Struct(projectFields).annotate({ identifier: "Project" })
export type Project = typeof Project.Type

/** A name for addresses, unique within the organization. A-PROJ-08 */
export const ProjectSlug = Schema.String.check(
  Schema.isPattern(/^[a-z0-9-]{1,80}$/u, { expected: "1 to 80 lowercase letters, digits and hyphens" })
).annotate({
  description: "Lowercase letters, digits and hyphens, unique in the organization; derived from the name by default."
})

/** Body of POST /v1/projects; without a slug one is derived from the name. A-PROJ-07, A-PROJ-08 */
export const CreateProject = Schema.Struct({
  name: label(1, 120).annotate({ description: "Name of the project, 1 to 120 characters after trimming." }),
  slug: Schema.optionalKey(Schema.NullOr(ProjectSlug))
}).annotate({ examples: [{ name: "Bakery", slug: "bakery" }] })
export type CreateProject = typeof CreateProject.Type

const success = Schema.Struct({ ...projectFields, trace_id: TraceId })

/** Projects of the calling key's organization. A-PROJ-05, A-PROJ-14, A-PROJ-19 */
export class ProjectsApi extends HttpApiGroup.make("projects")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: CreateProject,
      success: success.pipe(HttpApiSchema.status(201)),
      error: [
        InvalidProjectBody.wire,
        OrganizationNotFound.wire,
        ProjectSlugTaken.wire,
        ProjectLimitReached.wire,
        IdempotencyKeyConflict.wire
      ]
    })
      .annotate(Traits, {
        scopes: ["projects:write"],
        rate: "project_create",
        realTime: true,
        validation: InvalidProjectBody.code,
        idempotency: "optional",
        strictBody: true,
        restrictedWithoutCredit: true
      })
      .annotate(OpenApi.Summary, "Create a project")
      .annotate(OpenApi.Description, "Creates the project with its sandbox and production environments."),
    HttpApiEndpoint.get("list", "/", {
      query: pageQuery(50),
      success: pageOf(Project),
      error: [InvalidProjectBody.wire, InvalidCursor.wire]
    })
      .annotate(Traits, {
        scopes: ["projects:read"],
        rate: "read",
        validation: InvalidProjectBody.code,
        strictQuery: true
      })
      .annotate(OpenApi.Summary, "List projects")
      .annotate(OpenApi.Description, "Active projects of the organization, newest first; archived ones never appear."),
    HttpApiEndpoint.get("get", "/:project_id", {
      params: { project_id: pathId("prj") },
      success,
      error: ProjectNotFound.wire
    })
      .annotate(Traits, { scopes: ["projects:read"], rate: "read", validation: InvalidProjectBody.code })
      .annotate(OpenApi.Summary, "Read a project")
      .annotate(OpenApi.Description, "A project of the organization with its two environments.")
  )
  .prefix("/v1/projects")
  .annotate(OpenApi.Title, "Projects")
  .annotate(OpenApi.Description, "Each project has one sandbox and one production environment.") {}
