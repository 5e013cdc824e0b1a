import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { InvalidMessageRequest } from "@carteiro/schema/messages/MessageErrors.ts"
import type { MessageStatus, MessageType } from "@carteiro/schema/messages/Vocabulary.ts"
import { Result } from "effect"
import type { Trigger } from "../message/MessageState.ts"

/** The names in `metadata.sandbox_scenario`. gaps-2 J "Scenario names" */
export const scenarios = [
  "success",
  "delivered_only",
  "sent_only",
  "delivery_failure",
  "recipient_opted_out",
  "template_rejected",
  "messaging_limit_pacing",
  "flow_completed"
] as const
export type Scenario = (typeof scenarios)[number]

/** How long the paced scenario is held, in milliseconds; real time, not a status unit. gaps-2 J "Scenario names" */
export const scenarioHoldMs = 10_000

const onlyFor: { readonly [S in Scenario]?: MessageType } = { template_rejected: "template", flow_completed: "flow" }

/** Returns a simulated customer's answers to a flow, verbatim from the send's metadata. M-FLOW-10, M-FLOW-11 */
export const flowResponse = (
  metadata: { readonly [key: string]: unknown } | null
): { readonly [key: string]: unknown } | undefined => {
  const given = metadata?.sandbox_flow_response ?? { sandbox: true }
  return typeof given === "object" && !Array.isArray(given) ? (given as { readonly [key: string]: unknown }) : undefined
}

/** Returns the scenario that a send requests; production ignores the key. gaps-2 J "Scenario names" */
export const readScenario = (
  environment: EnvironmentKind,
  metadata: { readonly [key: string]: unknown } | null | undefined,
  type: MessageType
): Result.Result<Scenario, InvalidMessageRequest> => {
  const named =
    environment === "sandbox" && metadata && Object.hasOwn(metadata, "sandbox_scenario")
      ? metadata.sandbox_scenario
      : "success"
  const scenario = scenarios.find((name) => name === named)
  if (scenario === undefined || (onlyFor[scenario] ?? type) !== type) {
    return Result.fail(new InvalidMessageRequest({ param: "metadata.sandbox_scenario" }))
  }
  return scenario === "flow_completed" && flowResponse(metadata ?? null) === undefined
    ? Result.fail(new InvalidMessageRequest({ param: "metadata.sandbox_flow_response" }))
    : Result.succeed(scenario)
}

/**
 * The facts that determine the script of a sandbox message. Instants and `unit_ms` are milliseconds. gaps-2 J "Status
 * timing"
 */
export interface ScriptInput {
  readonly scenario: Scenario
  readonly type: MessageType
  readonly accepted_at: number
  readonly unit_ms: number
  readonly provider_message_id: string
}

/** One step of the script and its time; with `CompleteFlow` the customer answers. */
export interface Step {
  readonly at: number
  readonly trigger: Trigger | { readonly _tag: "CompleteFlow" }
}

const failures = {
  delivery_failure: "sandbox_delivery_failure",
  recipient_opted_out: "sandbox_recipient_opted_out",
  template_rejected: "sandbox_template_rejected"
} as const

/**
 * Returns all steps of a sandbox message, oldest first: sent after 1 unit, delivered after 3, read after 6; a reaction
 * stops at sent; a flow is answered after 5. M-SBX-25, M-REACT-07, gaps-2 J "Status timing", "Scenario names"
 */
export const script = (input: ScriptInput): ReadonlyArray<Step> => {
  const { accepted_at, provider_message_id, scenario, type, unit_ms } = input
  const start = scenario === "messaging_limit_pacing" ? accepted_at + scenarioHoldMs : accepted_at
  const after = (units: number, trigger: Step["trigger"]): Step => ({ at: start + units * unit_ms, trigger })
  const steps: Array<Step> = scenario === "messaging_limit_pacing" ? [{ at: start, trigger: { _tag: "Release" } }] : []
  steps.push(after(1, { _tag: "Reserve" }))
  if (scenario === "delivery_failure" || scenario === "recipient_opted_out" || scenario === "template_rejected") {
    steps.push(after(1, { _tag: "Reject", failure: { code: failures[scenario] } }))
    return steps
  }
  steps.push(after(1, { _tag: "Answer", provider_message_id }))
  if (type === "reaction" || scenario === "sent_only") return steps
  steps.push(after(3, { _tag: "Report", status: "delivered" }))
  if (scenario === "flow_completed") steps.push(after(5, { _tag: "CompleteFlow" }))
  if (scenario !== "delivered_only") steps.push(after(6, { _tag: "Report", status: "read" }))
  return steps
}

/**
 * Returns the remaining steps of a message, by its status; the first one's `at` is its due time. A cancelled or failed
 * message has none. gaps-2 J "Status timing"
 */
export const remaining = (
  input: ScriptInput,
  now: {
    readonly status: MessageStatus
    readonly status_reason: string | null
    /** When its row was due: a step that leaves no trace in the status and lies before that has happened. */
    readonly due_at?: number | null
  }
): ReadonlyArray<Step> =>
  script(input).filter(({ at, trigger }) =>
    trigger._tag === "CompleteFlow"
      ? at >= (now.due_at ?? 0) && isAhead({ _tag: "Report", status: "read" }, now.status, now.status_reason)
      : isAhead(trigger, now.status, now.status_reason)
  )

const isAhead = (trigger: Trigger, status: MessageStatus, reason: string | null): boolean => {
  switch (trigger._tag) {
    case "Release":
      return status === "queued" && reason !== null
    case "Reserve":
      return status === "queued"
    case "Reject":
    case "Answer":
      return status === "queued" || status === "sending"
    case "Report":
      return (
        status === "queued" ||
        status === "sending" ||
        status === "sent" ||
        (status === "delivered" && trigger.status === "read")
      )
    default:
      return false
  }
}
