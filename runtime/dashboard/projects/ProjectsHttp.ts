import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { type Project, ProjectSlug } from "@carteiro/schema/projects/Project.ts"
import { Effect, Layer, Schema } from "effect"
import { ProjectActions, ProjectDirectory } from "../../projects/Projects.ts"
import { errorAt, field, type Refused, unconfirmed } from "../kit/Forms.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import { membersOf } from "../kit/ListFile.ts"
import { organizationList } from "../kit/ListPage.ts"
import { pageOf } from "../kit/Lists.ts"
import { nameError, nameField } from "../kit/NameField.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { badge, confirmation, form, given, input, instant, notice, table } from "../kit/Parts.ts"
import { NotHere } from "../kit/Refusals.ts"

const address = "/dashboard/projects"

/** The typed values of the form, and the errors of its fields. */
interface Typed extends Refused<"name" | "slug" | "limit"> {
  readonly name: string
  readonly slug: string
}

/** Projects: made, archived, restored and deleted. gaps-1 C "Archived and deleted projects", gaps-1 G */
export const ProjectsHttp = Layer.unwrap(
  Effect.gen(function* () {
    const directory = yield* ProjectDirectory
    const actions = yield* ProjectActions

    const requireProject = Effect.fnUntraced(function* (visit: Visit) {
      const id = visit.request.params.id ?? ""
      return (yield* directory.find(visit.organizationId, id)) ?? (yield* new NotHere())
    })

    const { routes, show } = yield* organizationList({
      operation: "projects",
      path: address,
      title: "Projects",
      section: "projects",
      api: "projects.list",
      filters: {},
      read: ({ id }, _, before, count) =>
        Effect.map(directory.list(id), (all) => pageOf(all, (project) => project.id, before, count)),
      idOf: ({ id }) => id,
      table: (rows, _, nothing) => projectTable(rows, nothing),
      file: membersOf(
        (project: Project) => project,
        "id",
        "name",
        "slug",
        "default_language",
        "archived_at",
        "created_at"
      ),
      empty: () => ({ purpose: withoutProject }),
      around: (_, visit) => Effect.succeed(visit.mayChange ? { after: createForm(visit, undefined) } : {})
    })

    const list = (visit: Visit, typed: Typed): Effect.Effect<Outcome, ApiError> =>
      show(visit, { around: { page: { status: 400 }, after: createForm(visit, typed) } })

    const create = Effect.fnUntraced(function* (visit: Visit, sent: URLSearchParams) {
      const name = field(sent, "name")
      const slug = field(sent, "slug").trim()
      const refuse = (field: Typed["field"], error: string) => list(visit, { name, slug, field, error })
      const unnamed = nameError(name)
      if (unnamed !== undefined) return yield* refuse("name", unnamed)
      if (slug !== "" && !isSlug(slug)) {
        return yield* refuse("slug", "A slug has lowercase letters, digits and hyphens.")
      }
      const call = {
        caller: { organization_id: visit.organizationId },
        now: visit.now,
        traceId: visit.request.traceId
      }
      return yield* actions.create(call, slug === "" ? { name } : { name, slug }).pipe(
        Effect.as<Outcome>({ to: `${address}?done=created` }),
        Effect.catchIf(
          (error) => error.status === 409,
          (error) => refuse(error.param === "slug" ? "slug" : "limit", error.message)
        )
      )
    })

    const askArchive = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const project = yield* requireProject(visit)
      return {
        title: html`Archive ${project.name}?`,
        section: "projects",
        up: [`${address}/${project.id}`, html`${project.name}`],
        body: confirmation({
          action: `${address}/${project.id}/archive`,
          csrf: visit.csrf,
          explanation: html`<p>The project leaves the API's project routes and takes no new keys. <strong>Keys it has keep working.</strong> It can be restored at any time.</p>`,
          button: "Archive the project",
          back: `${address}/${project.id}`,
          dangerous: false
        })
      }
    })

    const askDelete = Effect.fnUntraced(function* (visit: Visit, error?: Html): Effect.fn.Return<Outcome, ApiError> {
      const project = yield* requireProject(visit)
      return {
        title: html`Delete ${project.name}?`,
        section: "projects",
        status: error === undefined ? 200 : 400,
        up: [`${address}/${project.id}`, html`${project.name}`],
        body: confirmation({
          action: `${address}/${project.id}/delete`,
          csrf: visit.csrf,
          explanation: notice(
            "warn",
            html`<strong>This is for good.</strong> Every key of the project is refused from the next request on, in both environments.`
          ),
          button: "Delete the project",
          back: `${address}/${project.id}`,
          dangerous: true,
          name: { value: project.slug, error }
        })
      }
    })

    const remove = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const project = yield* requireProject(visit)
      const error = unconfirmed(sent, project.slug)
      if (error !== undefined) return yield* askDelete(visit, error)
      yield* actions.remove(visit.organizationId, project.id, visit.now)
      return { to: `${address}?done=deleted` }
    })

    const change = (verb: "archive" | "restore", done: string) =>
      action({
        operation: `${verb}Project`,
        audit: verb === "archive" ? "project.archived" : "project.restored",
        path: `${address}/:id/${verb}`,
        handler: Effect.fnUntraced(function* (visit) {
          const project = yield* requireProject(visit)
          yield* actions[verb](visit.organizationId, project.id, visit.now)
          return { to: `${address}/${project.id}?done=${done}` }
        })
      })

    return Layer.mergeAll(
      routes,
      action({
        operation: "createProject",
        audit: "project.created",
        keeps: ["name", "slug"],
        path: address,
        handler: create
      }),
      page({ operation: "askArchiveProject", path: `${address}/:id/archive`, handler: askArchive }),
      change("archive", "archived"),
      change("restore", "restored"),
      page({ operation: "askDeleteProject", path: `${address}/:id/delete`, handler: (visit) => askDelete(visit) }),
      action({ operation: "deleteProject", audit: "project.deleted", path: `${address}/:id/delete`, handler: remove })
    )
  })
)

const isSlug = Schema.is(ProjectSlug)

const withoutProject =
  "A project keeps the messages, numbers and keys of one product or team apart. It comes with a sandbox and a production environment."

const projectTable = (all: ReadonlyArray<Project>, nothing: Piece) =>
  table(
    "Projects of the organization",
    ["Name", "Slug", "Status", "Language", "Created"],
    all.map((project) => [
      given(html`<a href="${address}/${project.id}">${project.name}</a>`),
      given(html`<code>${project.slug}</code>`),
      project.archived_at === null ? badge("active", "good") : badge("archived", "plain"),
      project.default_language,
      instant(project.created_at)
    ]),
    nothing
  )

const createForm = (visit: Visit, typed: Typed | undefined) => {
  const full = errorAt(typed, "limit")
  return html`<section class="card" aria-labelledby="create"><h2 id="create">Create a project</h2>
${full && notice("bad", full)}
${form(
  address,
  visit.csrf,
  html`<div class="pair">${nameField(typed?.name ?? "", errorAt(typed, "name"))}
${input({
  name: "slug",
  label: "Slug (optional)",
  hint: say("Made from the name when left out."),
  value: typed?.slug ?? "",
  error: errorAt(typed, "slug"),
  maxLength: 80,
  plain: true
})}</div>
<div class="buttons"><button class="primary">Create the project</button></div>`
)}</section>`
}
