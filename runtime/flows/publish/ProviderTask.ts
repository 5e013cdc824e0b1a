import type { ProviderFlow } from "@carteiro/provider/FlowProvider.ts"
import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import type { SelectedRow, TableRow } from "@carteiro/tables/Table.ts"
import type { flowsTable, flowTaskColumns, ProviderStep } from "../flow/FlowTables.ts"

export type { ProviderStep } from "../flow/FlowTables.ts"

/** A flow with a due step at its provider; its definition is read where it is uploaded. */
export interface ProviderTask extends SelectedRow<typeof flowTaskColumns>, TableRow<typeof flowsTable, "flow_json"> {
  readonly provider_step: ProviderStep
  readonly publishing_since: number
}

/** The result of a step. */
export type StepResult =
  /** The flow's id at the provider; null when the provider does not have it. */
  | { readonly _tag: "Found"; readonly provider_flow_id: string | null }
  | { readonly _tag: "Uploaded"; readonly validation_errors: ReadonlyArray<string> }
  | { readonly _tag: "Heard" }
  | { readonly _tag: "Said"; readonly flow: ProviderFlow }
  /** Definitely refused, with the provider's message. */
  | { readonly _tag: "Refused"; readonly reason: string }
  /** The effect of the call is unknown. */
  | { readonly _tag: "Failed" }
  | { readonly _tag: "NotConnected" }

/** The stored result of a step; `due_at` is null when no step remains. */
export interface TaskOutcome
  extends Pick<ProviderTask, "status" | "provider_flow_id" | "rejection_reason" | "attempts" | "published_at"> {
  readonly provider_step: ProviderStep | null
  readonly due_at: number | null
  /** True when the provider has deleted it, so that its row is deleted too. */
  readonly removed: boolean
}

/** How long the provider is called before publishing is given up, in milliseconds. */
export const publishingLimitMs = dayMs

/**
 * Returns the pause before a step is repeated after that many attempts: 1, 2, 4 seconds and so on, at most five
 * minutes.
 */
export const pauseMs = (attempts: number): number => Math.min(1000 * 2 ** attempts, 300_000)

/** Returns the effect of a result on a flow. `now` in epoch milliseconds. gaps-2 G "Flow routes" */
export const recordStep = (task: ProviderTask, result: StepResult, now: number): TaskOutcome => {
  switch (task.provider_step) {
    case "deprecate":
    case "remove":
      return result._tag === "Failed" && !isOverdue(task, now) ? again(task, now) : finished(task)
    case "create":
    case "find":
      return afterMaking(task, result, now)
    case "upload":
      return afterUpload(task, result, now)
    case "publish":
    case "poll":
      return afterAsking(task, result, now)
  }
}

const base = (task: ProviderTask): TaskOutcome => ({
  status: task.status,
  provider_flow_id: task.provider_flow_id,
  rejection_reason: task.rejection_reason,
  attempts: 0,
  published_at: task.published_at,
  provider_step: null,
  due_at: null,
  removed: false
})

const finished = (task: ProviderTask): TaskOutcome => ({ ...base(task), removed: task.provider_step === "remove" })

const next = (task: ProviderTask, provider_step: ProviderStep, now: number): TaskOutcome => ({
  ...base(task),
  provider_step,
  due_at: now
})

/** Repeats the step after a pause; for a flow being published only within a day. */
const again = (task: ProviderTask, now: number, step: ProviderStep = task.provider_step): TaskOutcome =>
  task.status === "publishing" && isOverdue(task, now)
    ? rejected(task, "The provider did not answer within 24 hours.")
    : { ...base(task), provider_step: step, attempts: task.attempts + 1, due_at: now + pauseMs(task.attempts) }

const isOverdue = ({ publishing_since }: ProviderTask, now: number): boolean =>
  now - publishing_since >= publishingLimitMs

const rejected = (task: ProviderTask, reason: string): TaskOutcome => ({
  ...base(task),
  status: "rejected",
  rejection_reason: reason.slice(0, longestReason)
})

const longestReason = 1000

/** Returns the end of a flow that cannot be published, unless it was published before. */
const refused = (task: ProviderTask, result: StepResult): TaskOutcome => {
  if (task.status !== "publishing") return finished(task)
  return rejected(task, result._tag === "Refused" ? result.reason : "no_provider_connection")
}

const afterMaking = (task: ProviderTask, result: StepResult, now: number): TaskOutcome => {
  const looked = task.provider_step === "find"
  if (result._tag === "NotConnected" || (result._tag === "Refused" && !looked)) return refused(task, result)
  // Whether the create succeeded is unknown, so the flow is looked up until the provider answers.
  if (result._tag !== "Found") return again(task, now, "find")
  const { provider_flow_id } = result
  return provider_flow_id === null ? again(task, now, "create") : { ...next(task, "upload", now), provider_flow_id }
}

const afterUpload = (task: ProviderTask, result: StepResult, now: number): TaskOutcome => {
  if (result._tag === "Failed") return again(task, now)
  if (result._tag !== "Uploaded") return refused(task, result)
  const { validation_errors } = result
  return validation_errors.length === 0 ? next(task, "publish", now) : rejected(task, validation_errors.join(" "))
}

const afterAsking = (task: ProviderTask, result: StepResult, now: number): TaskOutcome => {
  switch (result._tag) {
    case "Failed":
      return again(task, now)
    case "Heard":
      return next(task, "poll", now)
    case "Said":
      return asSaid(task, result.flow, now)
    default:
      return refused(task, result)
  }
}

/** Applies the provider's state of a flow. */
const asSaid = (task: ProviderTask, said: ProviderFlow, now: number): TaskOutcome => {
  switch (said.status) {
    case "published":
    case "throttled":
      return { ...finished(task), status: "published", published_at: task.published_at ?? now }
    case "deprecated":
    case "blocked": {
      const reason = `The provider says that it is ${said.status}.`
      return task.status === "publishing"
        ? rejected(task, reason)
        : { ...finished(task), status: "deprecated", rejection_reason: said.status === "blocked" ? reason : null }
    }
    case "draft":
      if (task.status !== "publishing") return finished(task)
      return said.validation_errors.length > 0 ? rejected(task, said.validation_errors.join(" ")) : again(task, now)
  }
}
