import type { CallerWithin } from "@carteiro/http-edge/TypedCalls.ts"
import type { ShownMessage } from "@carteiro/schema/messages/MessageLookupsApi.ts"
import type { TemplateComponent } from "@carteiro/schema/templates/TemplateComponents.ts"
import { Effect } from "effect"
import type { Html } from "../kit/Html.ts"
import { Operations } from "../kit/Operations.ts"
import { templateMessage } from "../kit/PhonePreview.ts"
import { memberOf } from "./MessageParts.ts"

/** Parts of the templates of some messages, by the version that was sent. */
export type SentTemplates = ReadonlyMap<string, ReadonlyArray<TemplateComponent>>

/** Templates of one page whose texts it shows. */
const mostTemplates = 8

/** Returns the read of the templates that messages were made of. */
export const makeSentTemplates = Effect.map(Operations, ({ templateLookups }) =>
  Effect.fnUntraced(function* (caller: CallerWithin, rows: ReadonlyArray<ShownMessage>) {
    const ids = [...new Set(rows.flatMap(({ message }) => message.template_id ?? []))].slice(0, mostTemplates)
    const versions = yield* Effect.forEach(
      ids,
      (template_id) => templateLookups.versions(caller, { params: { template_id } }),
      { concurrency: mostTemplates }
    )
    return new Map(versions.flatMap(({ data }) => data.map(({ components, id }) => [id, components] as const)))
  })
)

/** Returns a template as its customer reads it; undefined for any other content, and for a version that is gone. */
export const letterOf = ({ content, message }: ShownMessage, templates: SentTemplates): Html | undefined => {
  const components = templates.get(message.template_version_id ?? "")
  if (components === undefined || content?.type !== "template") return undefined
  const inner = memberOf(content, "template")
  return templateMessage(components, { body: textsOf(memberOf(inner, "variables")), header: {} })
}

const textsOf = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(typeof value === "object" && value !== null ? value : {}).map(([key, text]) => [key, String(text)])
  )
