import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { ReviewedContent } from "@carteiro/schema/templates/TemplateLookupsApi.ts"
import { Effect, Layer, Result } from "effect"
import { environmentOf, idOf } from "../kit/Environments.ts"
import { field, type Refused } from "../kit/Forms.ts"
import { html } from "../kit/Html.ts"
import { sentence } from "../kit/Language.ts"
import { orNotHere, unlessRefused } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { NotHere } from "../kit/Refusals.ts"
import { script, scriptRoute } from "../kit/Scripts.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { editor, type ReviewNotes } from "./TemplateEditParts.ts"
import {
  componentsOf,
  newTemplate,
  refusedPart,
  type TemplateField,
  type TypedTemplate,
  templateBody,
  typedOf,
  typedTemplate
} from "./TemplateForm.ts"

const address = "/dashboard/templates"

/** Files of the media library that a media header may show to the review: the newest. */
const offeredFiles = 25

/** Keeps the preview, the examples and the counters up with what is typed; the form works without it. */
const editorScript = script("editor", new URL("./editor.js", import.meta.url))

/** Writing of templates: a new one, and the next version of one. */
export const TemplateEditHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations
    const notesOn = yield* makeNotes

    const editing = Effect.fnUntraced(function* (
      visit: Visit,
      environment: EnvironmentEntry,
      typed: TypedTemplate,
      id: string | undefined,
      refused?: Refused<TemplateField>
    ): Effect.fn.Return<Outcome, ApiError> {
      const { data: files } = yield* operations.media.list(asVisitor(visit, environment), {
        query: { limit: String(offeredFiles) }
      })
      return {
        title: id === undefined ? "Write a template" : html`${typed.name}`,
        section: "templates",
        environment: environment.id,
        script: editorScript,
        ...(refused && { status: 400 }),
        up:
          id === undefined
            ? [`${address}?environment=${environment.id}`, "Templates"]
            : [`${address}/${environment.id}/${id}`, html`${typed.name}`],
        body: editor({
          action: id === undefined ? `${address}/${environment.id}/new` : `${address}/${environment.id}/${id}/edit`,
          back: id === undefined ? `${address}?environment=${environment.id}` : `${address}/${environment.id}/${id}`,
          csrf: visit.csrf,
          typed,
          refused,
          isNew: id === undefined,
          where: environment,
          notes: yield* notesOn(visit, environment, typed),
          files
        })
      }
    })

    /** Writes what was typed, or shows it again with what it looks like. */
    const write = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams,
      id: string | undefined
    ): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const typed = typedTemplate(sent)
      const intent = field(sent, "intent")
      if (intent === "look") return { ...(yield* editing(visit, environment, typed, id)), changes: false }
      const caller = asVisitor(visit, environment)
      const saved = Effect.gen(function* () {
        const body = yield* Effect.fromResult(templateBody(typed))
        if (id === undefined) return (yield* operations.templates.create(caller, { payload: body })).id
        const { category, components, parameter_format } = body
        yield* operations.templates.update(caller, {
          params: { template_id: id },
          payload: { category, components, ...(parameter_format && { parameter_format }) }
        })
        return id
      })
      return yield* saved.pipe(
        Effect.flatMap(
          Effect.fnUntraced(function* (written): Effect.fn.Return<Outcome, ApiError> {
            const submits = intent === "submit"
            if (submits) yield* operations.templates.submit(caller, { params: { template_id: written } })
            return {
              to: `${address}/${environment.id}/${written}?done=${submits ? "submitted" : "saved"}`,
              audited: { subject: written, after: { name: typed.name, submitted: String(submits) } }
            }
          })
        ),
        Effect.catch((error) =>
          error.status < 500 && error.status !== 404
            ? editing(visit, environment, typed, id, refusedPart(typed, error))
            : Effect.fail(error)
        )
      )
    })

    const edit = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const id = yield* idOf(visit, "tpl")
      const template = yield* orNotHere(
        operations.templates.get(asVisitor(visit, environment), { params: { template_id: id } })
      )
      return yield* editing(visit, environment, typedOf(template) ?? (yield* new NotHere()), id)
    })

    return Layer.mergeAll(
      scriptRoute("templates.editor_script", editorScript),
      page({
        operation: "newTemplate",
        path: `${address}/:environment/new`,
        handler: (visit) => Effect.flatMap(environmentOf(visit), (one) => editing(visit, one, newTemplate, undefined))
      }),
      action({
        operation: "createTemplate",
        audit: "template.created",
        path: `${address}/:environment/new`,
        handler: (visit, sent) => write(visit, sent, undefined)
      }),
      page({ operation: "editTemplate", path: `${address}/:environment/:id/edit`, handler: edit }),
      action({
        operation: "updateTemplate",
        audit: "template.updated",
        path: `${address}/:environment/:id/edit`,
        handler: (visit, sent) => Effect.flatMap(idOf(visit, "tpl"), (id) => write(visit, sent, id))
      })
    )
  })
)

/** Returns what tells what a review would say of a template as it is typed. */
const makeNotes = Effect.map(Operations, ({ templateLookups }) =>
  Effect.fnUntraced(function* (
    visit: Visit,
    environment: EnvironmentEntry,
    typed: TypedTemplate
  ): Effect.fn.Return<ReviewNotes, ApiError> {
    if (typed.body === "") return { signals: [], fault: undefined }
    const payload = { category: typed.category, components: componentsOf(typed) }
    const read = templateLookups.reviewNotes(asVisitor(visit, environment), { payload: payload as ReviewedContent })
    // What cannot be read has no remarks: its fault says why.
    const signals = yield* unlessRefused(
      Effect.map(read, ({ data }) => data),
      []
    )
    const body = templateBody({ ...typed, name: typed.name || "template" })
    const refusal = Result.isFailure(body) ? body.failure : undefined
    return {
      signals,
      fault: refusal?.param?.startsWith("components") ? sentence(refusedPart(typed, refusal).error) : undefined
    }
  })
)
