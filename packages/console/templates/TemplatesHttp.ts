import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { type Template, TemplateCategory, TemplateStatus } from "@carteiro/schema/templates/Template.ts"
import { Effect, Layer } from "effect"
import { environmentOf } from "../kit/Environments.ts"
import { textFilter, wordFilter } from "../kit/Filters.ts"
import { html, type Piece } from "../kit/Html.ts"
import { contractWord, say } from "../kit/Language.ts"
import type { ListStart } from "../kit/ListCalls.ts"
import { membersOf } from "../kit/ListFile.ts"
import { environmentList } from "../kit/ListPage.ts"
import { makeOperationList, narrowedBy } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, type Visit } from "../kit/Pages.ts"
import { form, instant, none, personText, type Table, table } from "../kit/Parts.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { templateBadge } from "./TemplateParts.ts"

const address = "/dashboard/templates"

/** Templates of an environment with where their review stands. */
export const TemplatesHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations
    const templates = (yield* makeOperationList)("templates.list", operations.templates.list)
    const { routes } = yield* environmentList({
      operation: "templates",
      path: address,
      title: "Templates",
      section: "templates",
      api: "templates.list",
      follows: "events",
      filters: {
        name: textFilter("Name", 512),
        category: wordFilter("Category", TemplateCategory.literals),
        status: wordFilter("Status", TemplateStatus.literals, { thing: "template" }),
        language: textFilter("Language", 15)
      },
      read: (environment, search, before, count, visit) =>
        templates(visit, environment, before, count, narrowedBy(search)),
      idOf: ({ id }) => id,
      table: (rows, { id }, nothing) => templateTable(id, rows, nothing),
      file: membersOf(
        (template: Template) => template,
        "id",
        "name",
        "language",
        "category",
        "status",
        "version",
        "approved_version",
        "created_at",
        "updated_at"
      ),
      begin: (environment, { csrf, mayChange }) => (mayChange ? startOf(environment, csrf) : {}),
      empty: () => ({
        purpose: say(
          "A template is a text that was reviewed: the one way to write to a customer who has not written within 24 hours."
        ),
        operation: "templates.create"
      })
    })
    const importing = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      yield* operations.templates.import(asVisitor(visit, environment))
      return { to: `${address}?environment=${environment.id}&done=templates_imported` }
    })
    return Layer.merge(
      routes,
      action({
        operation: "importTemplates",
        audit: "templates.imported",
        path: `${address}/:environment/import`,
        handler: importing
      })
    )
  })
)

/** A sandbox has no account to import from. */
const startOf = ({ id, kind }: EnvironmentEntry, csrf: string): ListStart => ({
  button: [`${address}/${id}/new`, "Write a template"],
  beside:
    kind === "production" && form(`${address}/${id}/import`, csrf, html`<button>Import from the platform</button>`)
})

const templateTable = (environmentId: string, templates: ReadonlyArray<Template>, nothing: Piece): Table =>
  table(
    "Templates, newest first",
    ["Template", "Language", "Category", "Review", "Sends use", "Changed"],
    templates.map((template) => [
      personText(html`<a href="${address}/${environmentId}/${template.id}">${template.name}</a>`),
      template.language,
      contractWord(template.category),
      html`${templateBadge(template.status)} <span class="whole">version ${template.version}</span>`,
      template.approved_version === null ? none("nothing yet") : html`version ${template.approved_version}`,
      instant(template.updated_at)
    ]),
    nothing
  )
