import { parseId } from "@carteiro/owners/Ids.ts"
import type { BatchPlan } from "@carteiro/schema/batches/BatchLookupsApi.ts"
import type { CreateBatch } from "@carteiro/schema/batches/CreateBatch.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { parseBrl } from "@carteiro/schema/conventions/Money.ts"
import type { PhoneNumber } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import { bodyVariables } from "@carteiro/schema/templates/AuthenticationForm.ts"
import type { SendableTemplate } from "@carteiro/schema/templates/TemplateLookupsApi.ts"
import { Effect, Layer } from "effect"
import { environmentName, environmentOf } from "../kit/Environments.ts"
import { field, queryParameter, type Refused } from "../kit/Forms.ts"
import { html } from "../kit/Html.ts"
import type { Page } from "../kit/Layout.ts"
import { numberChoice } from "../kit/NumberLinks.ts"
import { makeOperationList, orNothing } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { languageOf } from "../kit/Reader.ts"
import { script, scriptRoute } from "../kit/Scripts.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { codesLast, headerMediaOf } from "../templates/TemplateSend.ts"
import { type BatchReport, batchEditor, reportOf } from "./BatchEditParts.ts"
import {
  type BatchField,
  batchBody,
  type ChosenTemplate,
  newBatch,
  refusedPart,
  type TypedBatch,
  typedBatch,
  withoutFaulty
} from "./BatchForm.ts"
import { badText } from "./ListParts.ts"
import { type ListColumns, type ListReport, type ReadList, readList } from "./RecipientList.ts"
import { refusedFile } from "./RefusedFile.ts"

const address = "/dashboard/batches"
/** Numbers, templates and audiences that the form offers: the newest. */
const mostOffered = 250
/** Bytes of a form: 10,000 rows with a few values each. */
const formBytes = 1_000_000

/** Reads a file into the list; the form takes a pasted one without it. */
const batchScript = script("batch", new URL("./batch.js", import.meta.url))

/** Returns what shows what would come of a batch; production says what it costs at most. */
const makeReport = Effect.gen(function* () {
  const operations = yield* Operations

  return Effect.fnUntraced(function* (
    visit: Visit,
    environment: EnvironmentEntry,
    plan: BatchPlan,
    { bad, recipients: listed }: ReadList,
    { components }: ChosenTemplate
  ) {
    const isProduction = environment.kind === "production"
    const query = { category: plan.category }
    const costs = isProduction ? yield* operations.ownAccount.messagePrice(asVisitor(visit), { query }) : undefined
    const price = costs?.amount_brl == null ? undefined : parseBrl(costs.amount_brl)
    return reportOf({ plan, listed, bad, price, kind: environment.kind, components })
  })
})

/** Returns what gives the form before anything was typed: with the sender and the template of the latest batch. */
const makeFirstForm = Effect.map(Operations, ({ batches }) =>
  Effect.fnUntraced(function* (visit: Visit, environment: EnvironmentEntry): Effect.fn.Return<FirstForm, ApiError> {
    const { data } = yield* batches.list(asVisitor(visit, environment), { query: { limit: "1" } })
    const template = queryParameter(visit.request, "template") ?? ""
    return {
      typed: { ...newBatch, sender: data[0]?.sender.id ?? "", template },
      latest: data[0]?.template.template_id ?? undefined
    }
  })
)

interface FirstForm {
  readonly typed: TypedBatch
  /** Id of the template of the latest batch. */
  readonly latest: string | undefined
}

/** Starts batches from a list or an audience, after a look at what would come of them. decision 0071 */
export const BatchEditHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations
    const numbers = (yield* makeOperationList)("phoneNumbers.list", operations.phoneNumbers.list)
    const report = yield* makeReport
    const firstForm = yield* makeFirstForm

    const editing = Effect.fnUntraced(function* (
      visit: Visit,
      environment: EnvironmentEntry,
      typed: TypedBatch,
      shown: FormState
    ): Effect.fn.Return<Outcome, ApiError> {
      const [{ rows: active }, { data: sendable }, { data: audiences }] = yield* Effect.all([
        numbers(visit, environment, undefined, mostOffered, { status: "active" }),
        operations.templateLookups.listSendable(asVisitor(visit, environment), {
          query: { limit: String(mostOffered) }
        }),
        operations.batchLookups.audiences(asVisitor(visit, environment), { query: { limit: String(mostOffered) } })
      ])
      return editPage(visit, environment, { numbers: active, templates: codesLast(sendable), audiences }, typed, shown)
    })

    /** Returns the template that was chosen; nothing for one that has no approved version. */
    const chosen = Effect.fnUntraced(function* (visit: Visit, environment: EnvironmentEntry, template_id: string) {
      if (!parseId("tpl", template_id)) return undefined
      const read = operations.templateLookups.getSendable
      return yield* orNothing(read(asVisitor(visit, environment), { params: { template_id } }))
    })

    const submit = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const typed = typedBatch(sent)
      const template = yield* chosen(visit, environment, typed.template)
      const variables = bodyVariables(template?.components ?? [])
      const list: ReadList =
        typed.audience === ""
          ? readList(typed.list.source, { variables, region: environment.default_region, chosen: typed.columns })
          : { recipients: [], bad: [] }
      const shown = { columns: list.columns, reading: list.report, variables }
      const refuse = (refused: Refused<BatchField>, status = 400) =>
        editing(visit, environment, typed, { ...shown, refused, status: mayNot.includes(status) ? status : 400 })
      if (template === undefined) return yield* refuse({ field: "template", error: "Choose a template." })
      if (list.error !== undefined) return yield* refuse({ field: "list", error: list.error })
      const listed = list.recipients
      const intent = field(sent, "intent")
      const [bad] = list.bad
      if (bad !== undefined && listed.length === 0 && intent !== "refused")
        return yield* refuse({ field: "list", error: html`Row ${bad.row}: ${badText(bad)}` })

      const planned = (payload: CreateBatch) => operations.batchLookups.plan(asVisitor(visit, environment), { payload })
      const look = Effect.fnUntraced(function* (
        body: CreateBatch,
        refused?: Refused<BatchField>
      ): Effect.fn.Return<Outcome, ApiError> {
        const plan = yield* planned(body)
        const ahead = yield* report(visit, environment, plan, list, template)
        return { ...(yield* editing(visit, environment, typed, { ...shown, report: ahead, refused })), changes: false }
      })
      const start = Effect.fnUntraced(function* (body: CreateBatch): Effect.fn.Return<Outcome, ApiError> {
        // The rows that cannot be sent and the tick that leaves them out stay in view.
        if (bad !== undefined && !typed.leavesOut) return yield* look(body, notLeftOut)
        const payload = typed.leavesOut ? withoutFaulty(body, yield* planned(body)) : body
        const { id } = yield* operations.batches.create(asVisitor(visit, environment), { payload })
        return {
          to: `${address}/${environment.id}/${id}?done=batch_started`,
          audited: { subject: id, after: { name: typed.name, template: template.name, sender: typed.sender } }
        }
      })

      const download = Effect.fnUntraced(function* (body: CreateBatch): Effect.fn.Return<Outcome, ApiError> {
        const { faulty } = yield* planned(body)
        return { file: refusedFile(list, faulty, languageOf(visit.request)), changes: false }
      })

      if (intent === "refused" && listed.length === 0) {
        return { file: refusedFile(list, [], languageOf(visit.request)), changes: false }
      }
      const work = intent === "start" ? start : intent === "refused" ? download : look
      return yield* work(batchBody(typed, template, listed, visit.zone)).pipe(
        Effect.catchIf(
          ({ status }) => status < 500,
          (error) => {
            const refused = refusedPart(listed, error)
            const refusal = refuse(refused, error.status)
            if (intent !== "start" || refused.field !== "list") return refusal
            const again = look(batchBody(typed, template, listed, visit.zone), notLeftOut)
            return Effect.catchIf(
              again,
              ({ status }) => status < 500,
              () => refusal
            )
          }
        )
      )
    })

    return Layer.mergeAll(
      scriptRoute("batches.form_script", batchScript),
      page({
        operation: "newBatch",
        path: `${address}/:environment/new`,
        handler: Effect.fnUntraced(function* (visit) {
          const environment = yield* environmentOf(visit)
          const { latest, typed } = yield* firstForm(visit, environment)
          return yield* editing(visit, environment, typed, { latest })
        })
      }),
      action({
        operation: "createBatch",
        audit: "batch.created",
        path: `${address}/:environment/new`,
        formBytes,
        handler: submit
      })
    )
  })
)

/** Returns the template of the latest batch, else the first, which is of codes where all are; empty without any. */
const proposedTemplate = (templates: ReadonlyArray<SendableTemplate>, latest: string | undefined): string =>
  (templates.find(({ id }) => id === latest) ?? templates[0])?.id ?? ""

/** Why a batch with rows that cannot be sent does not start. */
const notLeftOut: Refused<BatchField> = {
  field: "leave_out",
  error: "Some rows cannot be sent. Correct them in the list, or leave them out."
}

/** The choices that the form offers. */
interface Offered {
  readonly numbers: ReadonlyArray<PhoneNumber>
  readonly templates: ReadonlyArray<SendableTemplate>
  readonly audiences: ReadonlyArray<{ readonly id: string; readonly name: string }>
}

/** Refusals of the whole form, whatever was typed: the page answers with their status. */
const mayNot: ReadonlyArray<number> = [402, 403, 409]

/** The parts of the page that depend on the list and on a refusal. */
interface FormState {
  readonly refused?: Refused<BatchField> | undefined
  /** Of a page with a refusal. */
  readonly status?: number
  readonly columns?: ListColumns | undefined
  readonly reading?: ListReport | undefined
  readonly variables?: ReadonlyArray<string>
  readonly report?: BatchReport
  /** Id of the template of the latest batch. */
  readonly latest?: string | undefined
}

const editPage = (
  visit: Visit,
  environment: EnvironmentEntry,
  { audiences, numbers, templates }: Offered,
  typed: TypedBatch,
  { columns, latest, reading, refused, report, status = 400, variables = [] }: FormState
): Page => {
  const back = `${address}?environment=${environment.id}`
  return {
    title: "Start a batch",
    section: "batches",
    environment: environment.id,
    script: batchScript,
    up: [back, "Batches"],
    ...(refused && { status }),
    body: batchEditor({
      action: `${address}/${environment.id}/new`,
      back,
      csrf: visit.csrf,
      typed: { ...typed, template: typed.template || proposedTemplate(templates, latest) },
      refused,
      columns,
      reading,
      variables,
      report,
      zone: visit.zone,
      where: environmentName(environment),
      numbers: numbers.map((one) => [one.id, numberChoice(one)]),
      templates: templates.map(({ components, id, language, name }) => [
        id,
        html`${name}, ${language}`,
        headerMediaOf(components) && "with-header-file"
      ]),
      audiences: audiences.map((one) => [one.id, html`${one.name}`])
    })
  }
}
