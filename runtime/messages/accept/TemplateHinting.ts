import { TemplateNotFound } from "@carteiro/schema/templates/TemplateErrors.ts"
import { Effect, Result } from "effect"
import type { TemplateHints } from "../../templates/Templates.ts"
import type { AcceptItem } from "./AcceptItem.ts"
import type { AcceptedFacts } from "./TemplateLimits.ts"

/** Refusals for an unknown template whose message is looked for in one batch; others keep the usual one. */
const mostHints = 8

/** Tells callers who named a template that does not exist which one they may have meant. gaps-2 B "Template resolution" */
export const withHints = (
  items: ReadonlyArray<AcceptItem>,
  facts: AcceptedFacts,
  hints: TemplateHints["Service"]
): Effect.Effect<AcceptedFacts> => {
  const missing = items.filter(({ environment_id, id }) => {
    const sent = facts.limits.get(id)?.sent
    const isOwn = facts.number?.environment_id === environment_id
    return isOwn && sent !== undefined && Result.isFailure(sent) && sent.failure._tag === "template_not_found"
  })
  if (missing.length === 0) return Effect.succeed(facts)
  return Effect.map(
    Effect.forEach(missing.slice(0, mostHints), (item) =>
      Effect.map(
        hints.forMissing(item.environment_id, item.names?._tag === "Template" ? item.names.name : ""),
        (message) => ({
          item,
          message
        })
      )
    ),
    (found) => {
      const limits = new Map(facts.limits)
      for (const { item, message } of found) {
        const known = limits.get(item.id)
        if (known === undefined || message === undefined) continue
        const refusal = new TemplateNotFound({ param: "message.template.name", message })
        limits.set(item.id, { ...known, sent: Result.fail(refusal) })
      }
      return { ...facts, limits }
    }
  )
}
