import { Schema } from "effect"
import { errorCode } from "../conventions/RequestValidation.ts"
import { InvalidFlowJson } from "./FlowErrors.ts"

/** Largest definition, in bytes of JSON. gaps-2 G "Flow routes" */
const maxBytes = 1_048_576

const encoder = new TextEncoder()

/** Returns the first fault of a definition and its place; checks only members that every version of the format has. */
const problem = (json: { readonly [key: string]: unknown }) => {
  const { screens, version } = json
  if (typeof version !== "string" || version === "") return { path: ["version"], issue: "a version, such as 7.2" }
  if (!Array.isArray(screens) || screens.length === 0) return { path: ["screens"], issue: "at least one screen" }
  const ids = new Set<string>()
  for (const [index, screen] of screens.entries()) {
    const screenId = typeof screen === "object" && screen !== null && "id" in screen ? screen.id : undefined
    if (typeof screenId !== "string" || screenId === "" || ids.has(screenId)) {
      return { path: ["screens", index, "id"], issue: "an id that no other screen has" }
    }
    ids.add(screenId)
  }
  return fits(JSON.stringify(json)) ? undefined : { path: [], issue: `at most ${maxBytes} bytes of JSON` }
}

// A UTF-16 unit is at most three bytes of UTF-8, so most need no second pass.
const fits = (written: string): boolean =>
  written.length * 3 <= maxBytes || (written.length <= maxBytes && encoder.encode(written).length <= maxBytes)

/** The definition of a flow, in the provider's own format. M-FLOW-15, gaps-2 G "Flow routes" */
export const FlowJson = Schema.Record(Schema.String, Schema.Unknown)
  .annotate({
    description:
      "The definition in the provider's format, at most 1 MiB of JSON: a version, and screens with unique ids.",
    examples: [{ version: "7.2", screens: [{ id: "DATE", title: "When?", terminal: true }] }]
  })
  .check(Schema.makeFilter(problem, { expected: "a version and screens, each with an id of its own" }))
  .annotate(errorCode(InvalidFlowJson.code))
