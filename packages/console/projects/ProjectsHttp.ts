import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { type Project, ProjectSlug } from "@carteiro/schema/projects/Project.ts"
import { Effect, Layer, Schema } from "effect"
import { confirmationPage } from "../kit/Confirmation.ts"
import { errorAt, field, type Refused, unconfirmed } from "../kit/Forms.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import type { Page } from "../kit/Layout.ts"
import { membersOf } from "../kit/ListFile.ts"
import { organizationList } from "../kit/ListPage.ts"
import { addressOf, pageOf } from "../kit/Lists.ts"
import { nameError, nameField } from "../kit/NameField.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { badge, form, input, instant, notice, personText, table } from "../kit/Parts.ts"
import { NotHere } from "../kit/Refusals.ts"

const address = "/dashboard/projects"

/** Projects: made, archived, restored and deleted. */
export const ProjectsHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { ownProjects, projects } = yield* Operations

    const requestOf = ({ request }: Visit) => ({ params: { project_id: request.params.id ?? "" } })

    const requireProject = (visit: Visit) =>
      Effect.catchTag(ownProjects.get(asVisitor(visit), requestOf(visit)), "project_not_found", () =>
        Effect.fail(new NotHere())
      )

    const { routes, show } = yield* projectList(ownProjects)

    const create = Effect.fnUntraced(function* (visit: Visit, sent: URLSearchParams) {
      const typed = { name: field(sent, "name"), slug: field(sent, "slug").trim() }
      const refuse = (refused: RefusedProject): Effect.Effect<Outcome, ApiError> =>
        show(visit, { around: { page: { status: 400 }, after: createForm(visit.csrf, typed, refused) } })
      const refused = refusedProject(typed)
      if (refused !== undefined) return yield* refuse(refused)
      const { name, slug } = typed
      const payload = slug === "" ? { name } : { name, slug }
      return yield* projects.create(asVisitor(visit), { payload }).pipe(
        // Whoever makes a project is in it from then on: the address names its sandbox, and the browser remembers it.
        Effect.map(
          ({ environments }): Outcome => ({
            to: addressOf("/dashboard", {
              environment: environments.find(({ kind }) => kind === "sandbox")?.id,
              done: "project_created"
            })
          })
        ),
        Effect.catchIf(
          (error) => error.status === 409,
          ({ message, param }) => refuse({ field: param === "slug" ? "slug" : "limit", error: message })
        )
      )
    })

    const remove = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const project = yield* requireProject(visit)
      const error = unconfirmed(sent, project.slug)
      if (error !== undefined) return deletePage(visit.csrf, project, error)
      yield* ownProjects.remove(asVisitor(visit), requestOf(visit))
      return { to: `${address}?done=deleted` }
    })

    const change = (verb: "archive" | "restore", done: string) =>
      action({
        operation: `${verb}Project`,
        audit: verb === "archive" ? "project.archived" : "project.restored",
        path: `${address}/:id/${verb}`,
        handler: Effect.fnUntraced(function* (visit) {
          const { id } = yield* ownProjects[verb](asVisitor(visit), requestOf(visit))
          return { to: `${address}/${id}?done=${done}` }
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
      page({
        operation: "askArchiveProject",
        path: `${address}/:id/archive`,
        handler: (visit) => Effect.map(requireProject(visit), (project) => archivePage(visit.csrf, project))
      }),
      change("archive", "archived"),
      change("restore", "restored"),
      page({
        operation: "askDeleteProject",
        path: `${address}/:id/delete`,
        handler: (visit) => Effect.map(requireProject(visit), (project) => deletePage(visit.csrf, project))
      }),
      action({ operation: "deleteProject", audit: "project.deleted", path: `${address}/:id/delete`, handler: remove })
    )
  })
)

const projectList = ({ list }: Operations["Service"]["ownProjects"]) =>
  organizationList({
    operation: "projects",
    path: address,
    title: "Projects",
    section: "projects",
    api: "projects.list",
    filters: {},
    read: (_place, _search, before, count, visit) =>
      Effect.map(list(asVisitor(visit)), ({ data }) => pageOf(data, (project) => project.id, before, count)),
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
    around: (_, visit) => Effect.succeed(visit.mayChange ? { after: createForm(visit.csrf, emptyForm) } : {})
  })

/** The form of a new project as it was typed. */
interface TypedProject {
  readonly name: string
  /** Empty takes one made from the name. */
  readonly slug: string
}

type RefusedProject = Refused<"name" | "slug" | "limit">

/** Returns why the form of a project is refused before anything is asked; undefined when it may be sent. */
export const refusedProject = ({ name, slug }: TypedProject): RefusedProject | undefined => {
  const unnamed = nameError(name)
  if (unnamed !== undefined) return { field: "name", error: unnamed }
  return slug === "" || isSlug(slug)
    ? undefined
    : { field: "slug", error: "A slug has lowercase letters, digits and hyphens." }
}

const isSlug = Schema.is(ProjectSlug)

const withoutProject =
  "A project keeps the messages, numbers and keys of one product or team apart. It comes with a sandbox and a production environment."

const projectTable = (all: ReadonlyArray<Project>, nothing: Piece) =>
  table(
    "Projects of the organization",
    ["Name", "Slug", "Status", "Language", "Created"],
    all.map((project) => [
      personText(html`<a href="${address}/${project.id}">${project.name}</a>`),
      personText(html`<code>${project.slug}</code>`),
      project.archived_at === null ? badge("active", "good") : badge("archived", "plain"),
      project.default_language,
      instant(project.created_at)
    ]),
    nothing
  )

const emptyForm: TypedProject = { name: "", slug: "" }

const createForm = (csrf: string, typed: TypedProject, refused?: RefusedProject) => {
  const full = errorAt(refused, "limit")
  return html`<section class="card" aria-labelledby="create"><h2 id="create">Create a project</h2>
${full && notice("bad", full)}
${form(
  address,
  csrf,
  html`<div class="pair">${nameField(typed.name, errorAt(refused, "name"))}
${input({
  name: "slug",
  label: "Slug (optional)",
  hint: say("Made from the name when left out."),
  value: typed.slug,
  error: errorAt(refused, "slug"),
  maxLength: 80,
  plain: true
})}</div>
<div class="buttons"><button class="primary">Create the project</button></div>`
)}</section>`
}

const archivePage = (csrf: string, { id, name }: Project): Page =>
  confirmationPage({
    title: html`Archive ${name}?`,
    section: "projects",
    up: [`${address}/${id}`, html`${name}`],
    action: `${address}/${id}/archive`,
    csrf,
    explanation: html`<p>The project leaves the API's project routes and takes no new keys. <strong>Keys it has keep working.</strong> It can be restored at any time.</p>`,
    button: "Archive the project",
    dangerous: false
  })

const deletePage = (csrf: string, { id, name, slug }: Project, error?: Html): Page =>
  confirmationPage({
    title: html`Delete ${name}?`,
    section: "projects",
    up: [`${address}/${id}`, html`${name}`],
    action: `${address}/${id}/delete`,
    csrf,
    explanation: notice(
      "warn",
      html`<strong>This is for good.</strong> Every key of the project is refused from the next request on, in both environments.`
    ),
    button: "Delete the project",
    dangerous: true,
    name: { value: slug, error }
  })
