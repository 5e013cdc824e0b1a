import { readReply } from "@carteiro/http-edge/Reply.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { realNow } from "@carteiro/owners/RealTime.ts"
import { ProjectNotFound } from "@carteiro/schema/conventions/SharedErrors.ts"
import { label } from "@carteiro/schema/conventions/Text.ts"
import { type Project, ProjectSlug } from "@carteiro/schema/projects/Project.ts"
import { InvalidProjectBody } from "@carteiro/schema/projects/ProjectErrors.ts"
import { Effect, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { ProjectActions, ProjectDirectory } from "../../projects/Operator.ts"
import { recordChange } from "../kit/Audited.ts"
import { facts, print, table } from "../kit/Output.ts"
import { foundOrganization, idArgument, organization, orUndefined, yes } from "../kit/Parameters.ts"

const id = idArgument("project", "Id of the project", "prj_…")

const printOne = (project: Project) =>
  print(
    project,
    facts({
      id: project.id,
      name: project.name,
      slug: project.slug,
      archived_at: project.archived_at,
      sandbox: project.environments[0]?.id,
      production: project.environments[1]?.id
    })
  )

const list = Command.make("list", { organization }, ({ organization }) =>
  Effect.gen(function* () {
    yield* foundOrganization(organization)
    const found = yield* (yield* ProjectDirectory).list(organization)
    const rows = found.map((project) => [
      project.id,
      project.slug,
      project.archived_at === null ? "active" : "archived",
      project.environments[0]?.id ?? "",
      project.environments[1]?.id ?? ""
    ])
    yield* print({ data: found }, table(["id", "slug", "status", "sandbox", "production"], rows, "no projects"))
  })
).pipe(Command.withDescription("List projects, archived ones included"))

const isSlug = Schema.is(ProjectSlug)

const create = Command.make(
  "create",
  {
    organization,
    name: Flag.String("name").pipe(Flag.withDescription("Name of the project"), Flag.withSchema(label(1, 120))),
    slug: Flag.String("slug").pipe(Flag.withDescription("Derived from the name when left out"), Flag.optional)
  },
  ({ organization, name, slug }) =>
    Effect.gen(function* () {
      const now = yield* realNow
      const traceId = (yield* Ids).traceId()
      yield* foundOrganization(organization)
      const wanted = orUndefined(slug)
      if (wanted !== undefined && !isSlug(wanted)) {
        return yield* new InvalidProjectBody({
          param: "slug",
          message: "A slug has lowercase letters, digits and hyphens."
        })
      }
      const actions = yield* ProjectActions
      const call = { caller: { organization_id: organization }, now, realNow: now, traceId }
      const created = yield* actions.create(call, wanted === undefined ? { name } : { name, slug: wanted })
      const { id } = readReply(created)
      yield* recordChange(organization, { action: "project.created", subject: id, after: { name } })
      yield* printFound(organization, id)
    })
).pipe(Command.withDescription("Create a project with its sandbox and production environments"))

const printFound = Effect.fnUntraced(function* (organizationId: string, projectId: string) {
  const found = yield* (yield* ProjectDirectory).find(organizationId, projectId)
  yield* printOne(found ?? (yield* new ProjectNotFound()))
})

const change = (name: "archive" | "restore", about: string) =>
  Command.make(name, { organization, id }, ({ organization, id }) =>
    Effect.gen(function* () {
      const now = yield* realNow
      yield* (yield* ProjectActions)[name](organization, id, now)
      yield* recordChange(organization, {
        action: name === "archive" ? "project.archived" : "project.restored",
        subject: id,
        before: { status: name === "archive" ? "active" : "archived" },
        after: { status: name === "archive" ? "archived" : "active" }
      })
      yield* printFound(organization, id)
    })
  ).pipe(Command.withDescription(about))

const remove = Command.make("delete", { organization, id, yes }, ({ organization, id, yes }) =>
  Effect.gen(function* () {
    const now = yield* realNow
    if (!yes) return yield* new InvalidProjectBody({ message: "Deleting a project is for good; repeat with --yes." })
    yield* (yield* ProjectActions).remove(organization, id, now)
    yield* recordChange(organization, { action: "project.deleted", subject: id, after: { status: "deleted" } })
    yield* print({ id, object: "project", deleted: true }, `deleted ${id}`)
  })
).pipe(Command.withDescription("Delete a project for good: its keys answer 404 from the next request on"))

/** Projects of one organization. gaps-1 C "Archived and deleted projects" */
export const projects = Command.make("projects").pipe(
  Command.withSubcommands([
    list,
    create,
    change("archive", "Hide a project from the API and from new keys; its keys keep working"),
    change("restore", "Undo archiving"),
    remove
  ])
)
