import { Schema } from "effect"
import { optional } from "../../conventions/RequestValidation.ts"
import { text } from "../../conventions/Text.ts"

const FlowParameters = Schema.Struct({
  flow_id: optional(text(1, 255).annotate({ description: "The published flow's provider_flow_id." })),
  flow_name: optional(text(1, 128).annotate({ description: "Name of the published flow, in place of flow_id." })),
  flow_token: text(1, 256).annotate({
    description: "Yours to recognise the answer by: comes back as submission.provider_token."
  }),
  flow_cta: text(1, 30).annotate({ description: "Label of the button that opens it." }),
  mode: optional(Schema.Literals(["published", "draft"]).annotate({ description: "published when left out." })),
  flow_action: optional(
    Schema.Literals(["navigate", "data_exchange"]).annotate({ description: "navigate when left out." })
  ),
  flow_action_payload: optional(
    Schema.Record(Schema.String, Schema.Unknown).annotate({ description: "Data for the first screen." })
  )
})
  .annotate({ description: "Which flow, and how it opens: exactly one of flow_id and flow_name." })
  .check(
    Schema.makeFilter(({ flow_id, flow_name }) =>
      (typeof flow_id === "string") === (typeof flow_name === "string")
        ? { path: [], issue: "exactly one of flow_id, flow_name" }
        : undefined
    )
  )

/** A flow for the customer to go through. M-FLOW-01..05, gaps-2 B "Content bounds and optional fields" */
export const FlowContent = Schema.Struct({
  body: Schema.Struct({ text: text(1, 1024).annotate({ description: "The text." }) }).annotate({
    description: "The text."
  }),
  action: Schema.Struct({ name: Schema.Literal("flow"), parameters: FlowParameters }).annotate({
    description: "What the button opens."
  })
}).annotate({ description: "A flow for the customer to go through." })
export type FlowContent = typeof FlowContent.Type
