import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { type Template, TemplateCategory, TemplateStatus } from "@carteiro/schema/templates/Template.ts"
import { Effect, Layer, Schema } from "effect"
import { readTemplate, TemplateDirectory } from "../../templates/Templates.ts"
import { type Chosen, chosenEnvironment, environmentField } from "../kit/Environments.ts"
import { asked } from "../kit/Forms.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { addressOf, askedWord, choicesOf, cutPage, pageRows } from "../kit/Lists.ts"
import { type Outcome, page, type Visit } from "../kit/Pages.ts"
import { given, input, instant, none, pager, select, table } from "../kit/Parts.ts"
import { templateBadge } from "./TemplateParts.ts"

const address = "/dashboard/templates"

/** What is looked for, as typed; what is none of the known words does not narrow. */
interface Search {
  readonly name: string | undefined
  readonly status: TemplateStatus | undefined
  readonly category: TemplateCategory | undefined
}

/** Templates of an environment with where their review stands. M-TPL-01..11 */
export const TemplatesHttp = Layer.unwrap(
  Effect.gen(function* () {
    const templates = yield* TemplateDirectory

    const list = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const chosen = yield* chosenEnvironment(visit)
      const { environment } = chosen
      const { request } = visit
      const search: Search = {
        name: asked(request, "name"),
        status: askedWord(request, "status", Schema.is(TemplateStatus)),
        category: askedWord(request, "category", Schema.is(TemplateCategory))
      }
      const before = asked(request, "before")
      const rows = environment === undefined ? [] : yield* templates.list(environment.id, search, before, pageRows + 1)
      const { last, shown } = cutPage(rows)
      const here = { environment: environment?.id, ...search }
      const narrowed = Object.values(search).some((value) => value !== undefined)
      return {
        title: "Templates",
        section: "templates",
        environment: environment?.id,
        body: html`${searchForm(chosen, search)}
${templateTable(
  environment?.id ?? "",
  shown.map(readTemplate),
  narrowed
    ? "No template is like this."
    : html`There is no template yet. Write one with <code>POST /v1/templates</code>.`
)}
${pager("templates", before && addressOf(address, here), last && addressOf(address, { ...here, before: last.id }))}`
      }
    })

    return page({ operation: "templates", path: address, handler: list })
  })
)

const searchForm = (chosen: Chosen, search: Search): Html =>
  html`<form method="get" action="${address}" class="search" role="search">
${environmentField(chosen)}
${input({ name: "name", label: "Name", value: search.name ?? "", plain: true, maxLength: 512 })}
${select({ name: "category", label: "Category", choices: choicesOf(TemplateCategory.literals), chosen: search.category ?? "" })}
${select({ name: "status", label: "Status", choices: choicesOf(TemplateStatus.literals), chosen: search.status ?? "" })}
<button>Show</button>
</form>`

const templateTable = (environmentId: string, templates: ReadonlyArray<Template>, nothing: Piece): Html =>
  table(
    "Templates, newest first",
    ["Template", "Language", "Category", "Review", "Sends use", "Changed"],
    templates.map((template) => [
      given(html`<a href="${address}/${environmentId}/${template.id}">${template.name}</a>`),
      template.language,
      template.category,
      html`${templateBadge(template.status)} <span class="whole">version ${template.version}</span>`,
      template.approved_version === null ? none("nothing yet") : `version ${template.approved_version}`,
      instant(template.updated_at)
    ]),
    nothing
  )
