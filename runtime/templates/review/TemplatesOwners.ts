import { type Reply, reply } from "@carteiro/http-edge/Reply.ts"
import type { Claim } from "@carteiro/owners/Idempotency.ts"
import { answer, commitThen, type Decision, decideEach, type OwnerHandle, refuse } from "@carteiro/owners/Owner.ts"
import { type ApiError, isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { InvalidSandboxRequest } from "@carteiro/schema/sandbox/SandboxErrors.ts"
import { TemplateNameTaken, TemplateNotFound } from "@carteiro/schema/templates/TemplateErrors.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect } from "effect"
import { Outbox } from "../../outbox/Outbox.ts"
import { changeTemplate, newTemplate, sendForReview } from "../template/Authoring.ts"
import {
  approveInSandbox,
  recategorizeTemplate,
  removeTemplate,
  setTemplateStatus,
  type TemplateChange
} from "../template/TemplateLife.ts"
import { readTemplate } from "../template/TemplateRead.ts"
import { TemplateRepo } from "../template/TemplateRepo.ts"
import type { TemplateState } from "../template/TemplateState.ts"
import { insertedTemplate } from "../template/TemplateWrites.ts"
import { decideImport } from "./ImportDecision.ts"
import { makeReviewQueues, nextSync, type OwnedTemplates } from "./ReviewQueue.ts"
import { afterNotice } from "./Synchronization.ts"
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

    const create = (
      item: Items.CreateItem,
      { memory }: OwnedTemplates,
      owner: OwnerHandle,
      now: number
    ): Decision<Items.StoredResponse> => {
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

    /** Returns the handler of a command that changes one template. */
    const change = <Item extends { readonly id: string; readonly trace_id: string }>(
      commandOf: (item: Item, now: number) => Command
    ) =>
      decideEach((item: Item, { memory }: OwnedTemplates, owner, now): Decision<Items.StoredResponse> => {
        const { claim, respond, rule } = commandOf(item, now)
        const template = memory.find(item.id)
        if (template === undefined) return refuse(new TemplateNotFound())
        const changed = rule(template)
        if (isApiError(changed)) return refuse(changed)
        const moved = "template" in changed ? changed : { template: changed, event: undefined }
        memory.put(moved.template)
        const rows = movedRows(outbox, template, moved, { at: now, trace_id: item.trace_id })
        const value = respond(moved.template)
        return written(owner, moved.template, rows, value, { claim, response: value })
      })

    /** Takes a notice of the provider; one that is about no template or says nothing new is ignored. */
    const review = (item: Items.ReviewItem, { memory }: OwnedTemplates, owner: OwnerHandle, now: number) => {
      const template = memory.spokenOf(item)
      const moved = template && afterNotice(template, item, now)
      if (template === undefined) return answer(undefined)
      if (moved === undefined) {
        // A notice has no content, so the list decides whether the appeal of what we have was successful.
        const isAppeal = item.decision === "approved" && template.newest.status === "rejected"
        if (!isAppeal || template.provider_template_id === null) return answer(undefined)
        return written(owner, template, nextSync(memory, owner, 0), undefined)
      }
      memory.put(moved.template)
      const rows = movedRows(outbox, template, moved, { at: now, trace_id: item.trace_id })
      return written(owner, moved.template, rows, undefined)
    }

    /** Approves in a sandbox, without any call. gaps-2 G "Template transitions" */
    const approveDue = ({ memory }: OwnedTemplates, owner: OwnerHandle) => {
      const now = owner.now()
      const due = memory.due(now).filter(({ environment }) => environment === "sandbox")
      const rows = due.flatMap((template) => {
        const moved = approveInSandbox(template, now)
        memory.put(moved.template)
        return movedRows(outbox, template, moved, { at: now, trace_id: template.trace_id })
      })
      return rows.length === 0 ? Effect.void : Effect.asVoid(owner.commit([{ rows }]))
    }

    return {
      load,
      work: (state: OwnedTemplates, owner) => Effect.andThen(approveDue(state, owner), state.queue.pass(state, owner)),
      handlers: {
        Create: decideEach(create),
        Duplicate: decideEach((item: Items.DuplicateItem, state: OwnedTemplates, owner, now) => {
          const source = state.memory.find(item.of)
          return source === undefined
            ? refuse(new TemplateNotFound())
            : create(duplicateOf(source, item), state, owner, now)
        }),
        Update: change(updating),
        Submit: change(submitting),
        Delete: change(removing),
        Import: decideEach(decideImport),
        SetStatus: change(settingStatus),
        Review: decideEach(review)
      }
    }
  })
)

/** Returns the decision that writes rows, and handles at once what is then due. */
const written = <A>(
  owner: OwnerHandle,
  template: TemplateState,
  rows: ReadonlyArray<Row>,
  value: A,
  completes: { readonly claim?: Claim | undefined; readonly response?: Items.StoredResponse } = {}
): Decision<A> =>
  commitThen({
    rows,
    ...completes,
    settle: () => {
      if (template.due_at !== null) owner.dueAt(template.due_at)
      return { ok: value }
    }
  })

/** A command about one template: the rule that changes it, and the response. */
interface Command {
  /** The idempotency key that the response completes. */
  readonly claim?: Claim | undefined
  readonly rule: (template: TemplateState) => TemplateState | TemplateChange | ApiError
  readonly respond: (after: TemplateState) => Items.StoredResponse
}

const updating = (item: Items.UpdateItem, now: number): Command => ({
  rule: (template) => changeTemplate(template, item, now),
  respond: (after) => shown(item, 200, after)
})

const submitting = (item: Items.OneItem, now: number): Command => ({
  claim: item.claim,
  rule: (template) => sendForReview(template, { trace_id: item.trace_id, now }),
  respond: (after) => shown(item, 202, after)
})

const removing = ({ trace_id }: Items.OneItem, now: number): Command => ({
  rule: (template) => removeTemplate(template, now),
  respond: ({ id }) => plain(reply({ traceId: trace_id }, 200, { id, object: "template", deleted: true }))
})

const settingStatus = (item: Items.SetStatusItem, now: number): Command => ({
  claim: item.claim,
  rule: (template) => {
    const { category, rejection_reason, status } = item
    if (status !== undefined) return setTemplateStatus(template, status, rejection_reason, now)
    const isCode = template.newest.category === "authentication"
    const moved = category === undefined || isCode ? undefined : recategorizeTemplate(template, category, now)
    return moved ?? notMoved
  },
  respond: (after) => shown(item, 200, after)
})

const notMoved = new InvalidSandboxRequest({
  param: "category",
  message:
    "The provider moves a template that it has to another category: submit it first, name the other one of marketing and utility, and no authentication template."
})

/** Returns the command that makes a copy of a template, under another name or language. */
const duplicateOf = ({ language, name, newest }: TemplateState, { of: _, ...item }: Items.DuplicateItem) => {
  const { category, components, parameter_format } = newest
  return {
    ...item,
    name: item.name ?? name,
    language: item.language ?? language,
    category,
    components,
    parameter_format
  }
}

const shown = (item: { readonly trace_id: string }, status: number, template: TemplateState): Items.StoredResponse =>
  plain(reply({ traceId: item.trace_id }, status, readTemplate(template)))

const plain = ({ status, body }: Reply): Items.StoredResponse => ({ status, body })
