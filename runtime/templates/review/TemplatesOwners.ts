import { type Reply, reply } from "@carteiro/http-edge/Reply.ts"
import type { Claim } from "@carteiro/owners/Idempotency.ts"
import { answer, commitThen, type Decision, type OwnerHandle, refuse } from "@carteiro/owners/Owner.ts"
import {
  TemplateNameTaken,
  TemplateNotEditable,
  TemplateNotFound,
  TemplateNotSubmittable
} from "@carteiro/schema/templates/TemplateErrors.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect } from "effect"
import { Outbox } from "../../outbox/Outbox.ts"
import { formatFault, newTemplate } from "../template/Authoring.ts"
import { sandboxTemplateId } from "../template/SeededTemplates.ts"
import {
  changedVersions,
  editTemplate,
  type Moved,
  reviewTemplate,
  setTemplateStatus,
  submitTemplate
} from "../template/TemplateLife.ts"
import { readTemplate } from "../template/TemplateRead.ts"
import { TemplateRepo } from "../template/TemplateRepo.ts"
import type { TemplateState } from "../template/TemplateState.ts"
import { insertedTemplate, savedTemplate } from "../template/TemplateWrites.ts"
import { makeReviewQueues, type OwnedTemplates } from "./ReviewQueue.ts"
import { rated } from "./Synchronization.ts"
import type * as Items from "./TemplateItems.ts"
import { movedRows } from "./TemplateMoves.ts"
import { TemplatesEntity } from "./TemplatesEntity.ts"
import { TemplatesMemory } from "./TemplatesMemory.ts"

export const templatesOwners = TemplatesEntity.toLayer(
  Effect.gen(function* () {
    const repo = yield* TemplateRepo
    const outbox = yield* Outbox
    const queueOf = yield* makeReviewQueues

    const load = (owner: OwnerHandle, _saved: string | undefined, before: OwnedTemplates | undefined) =>
      Effect.map(
        Effect.all([repo.load(owner.id), repo.syncDueAt(owner.id)]),
        ([templates, syncDueAt]): OwnedTemplates => {
          const state = { memory: new TemplatesMemory(templates, syncDueAt), queue: before?.queue ?? queueOf(owner) }
          state.queue.follow(owner, state)
          return state
        }
      )

    /** Writes a decision, and handles at once what is then due. */
    const written = <A>(
      owner: OwnerHandle,
      template: TemplateState,
      rows: ReadonlyArray<Row>,
      value: A,
      completes: { readonly claim?: Claim | undefined; readonly response?: Items.Answered } = {}
    ): Decision<A> =>
      commitThen({
        rows,
        ...completes,
        settle: () => {
          if (template.due_at !== null) owner.dueAt(template.due_at)
          return { ok: value }
        }
      })

    const insert = (
      { memory }: OwnedTemplates,
      owner: OwnerHandle,
      item: Items.CreateItem,
      now: number
    ): Decision<Items.Answered> => {
      const taken = memory.named(item.name, item.language)
      if (taken !== undefined && taken.id !== item.id) {
        return refuse(new TemplateNameTaken({ param: "name", details: { template_id: taken.id } }))
      }
      const template = newTemplate(owner.id, item, now)
      const value = shown(item, 201, template)
      if (taken !== undefined) return answer(value)
      memory.put(template)
      return written(owner, template, insertedTemplate(template), value, { claim: item.claim, response: value })
    }

    const update = ({ memory }: OwnedTemplates, owner: OwnerHandle, item: Items.UpdateItem, now: number) => {
      const template = memory.find(item.id)
      if (template === undefined) return refuse(new TemplateNotFound())
      const invalid = formatFault(item, template.newest)
      if (invalid !== undefined) return refuse(invalid)
      const next = editTemplate(template, item, { version_id: item.version_id, now })
      if (next === undefined) return refuse(new TemplateNotEditable())
      memory.put(next)
      return written(owner, next, savedTemplate(next, changedVersions(template, next)), shown(item, 200, next))
    }

    const submit = ({ memory }: OwnedTemplates, owner: OwnerHandle, item: Items.OneItem, now: number) => {
      const template = memory.find(item.id)
      if (template === undefined) return refuse(new TemplateNotFound())
      const next = submitTemplate(template, { trace_id: item.trace_id, now })
      if (next === undefined) return refuse(new TemplateNotSubmittable())
      memory.put(next)
      const value = shown(item, 202, next)
      const rows = savedTemplate(next, changedVersions(template, next))
      return written(owner, next, rows, value, { claim: item.claim, response: value })
    }

    const remove = ({ memory }: OwnedTemplates, owner: OwnerHandle, item: Items.OneItem, now: number) => {
      const template = memory.find(item.id)
      if (template === undefined) return refuse(new TemplateNotFound())
      const atProvider = template.environment === "production" && template.provider_template_id !== null
      // A submission under way decides when it ends what must be removed.
      const due_at = atProvider || isUnderWay(template) ? now : null
      const next: TemplateState = { ...template, deleted_at: now, updated_at: now, due_at, attempts: 0 }
      memory.put(next)
      const body = { id: template.id, object: "template", deleted: true }
      return written(owner, next, savedTemplate(next, []), plain(reply({ traceId: item.trace_id }, 200, body)))
    }

    const setStatus = ({ memory }: OwnedTemplates, owner: OwnerHandle, item: Items.SetStatusItem, now: number) => {
      const template = memory.find(item.id)
      if (template === undefined) return refuse(new TemplateNotFound())
      const moved = setTemplateStatus(template, item.status, item.rejection_reason, now)
      memory.put(moved.template)
      const value = shown(item, 200, moved.template)
      const rows = movedRows(outbox, template, moved, { at: now, trace_id: item.trace_id })
      return written(owner, moved.template, rows, value, { claim: item.claim, response: value })
    }

    const review = (
      { memory }: OwnedTemplates,
      owner: OwnerHandle,
      item: Items.ReviewItem,
      now: number
    ): Decision<void> => {
      const template = memory.spokenOf(item)
      if (template === undefined) return answer(undefined)
      const adopted: TemplateState = {
        ...template,
        provider_template_id: template.provider_template_id ?? item.provider_template_id
      }
      const known = item.quality === null ? adopted : rated(adopted, item.quality, now)
      const decided = item.decision === null ? undefined : reviewTemplate(known, item.decision, item.reason, now)
      if (decided === undefined && known.provider_quality === template.provider_quality) return answer(undefined)
      const moved: Moved = decided ?? { template: known, event: undefined }
      memory.put(moved.template)
      const rows = movedRows(outbox, template, moved, { at: now, trace_id: item.trace_id })
      return written(owner, moved.template, rows, undefined)
    }

    /** Approves in a sandbox, without any call. gaps-2 G "Template transitions" */
    const approveInSandbox = ({ memory }: OwnedTemplates, owner: OwnerHandle) => {
      const now = owner.now()
      const rows = memory
        .due(now)
        .filter(({ environment }) => environment === "sandbox")
        .flatMap((template) => {
          const known = { ...template, provider_template_id: sandboxTemplateId(template.id) }
          const moved = reviewTemplate(known, "approved", null, now) ?? {
            template: { ...template, due_at: null },
            event: undefined
          }
          memory.put(moved.template)
          return movedRows(outbox, template, moved, { at: now, trace_id: template.trace_id })
        })
      return rows.length === 0 ? Effect.void : Effect.asVoid(owner.commit([{ rows }]))
    }

    return {
      load,
      work: (state: OwnedTemplates, owner) => Effect.andThen(approveInSandbox(state, owner), state.queue.pass(state)),
      handlers: {
        Create: {
          decide: (items, _facts, state: OwnedTemplates, owner, now) =>
            items.map((item) => insert(state, owner, item, now))
        },
        Duplicate: {
          decide: (items, _facts, state: OwnedTemplates, owner, now) =>
            items.map(({ of, ...item }) => {
              const source = state.memory.find(of)
              if (source === undefined) return refuse(new TemplateNotFound())
              const { category, components, parameter_format } = source.newest
              const { language = source.language, name = source.name } = item
              return insert(state, owner, { ...item, name, language, category, components, parameter_format }, now)
            })
        },
        Update: {
          decide: (items, _facts, state: OwnedTemplates, owner, now) =>
            items.map((item) => update(state, owner, item, now))
        },
        Submit: {
          decide: (items, _facts, state: OwnedTemplates, owner, now) =>
            items.map((item) => submit(state, owner, item, now))
        },
        Delete: {
          decide: (items, _facts, state: OwnedTemplates, owner, now) =>
            items.map((item) => remove(state, owner, item, now))
        },
        SetStatus: {
          decide: (items, _facts, state: OwnedTemplates, owner, now) =>
            items.map((item) => setStatus(state, owner, item, now))
        },
        Review: {
          decide: (items, _facts, state: OwnedTemplates, owner, now) =>
            items.map((item) => review(state, owner, item, now))
        }
      }
    }
  })
)

const shown = (item: { readonly trace_id: string }, status: number, template: TemplateState): Items.Answered =>
  plain(reply({ traceId: item.trace_id }, status, readTemplate(template)))

const plain = ({ status, body }: Reply): Items.Answered => ({ status, body })

/** True when the provider may have the template although no answer confirms it. */
const isUnderWay = ({ attempts, environment, newest }: TemplateState): boolean =>
  environment === "production" && newest.status === "submitted" && attempts > 0
