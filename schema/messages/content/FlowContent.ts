import { Schema } from "effect"
import { optional } from "../../conventions/RequestValidation.ts"
import { text } from "../../conventions/Text.ts"

const FlowParameters = Schema.Struct({
  flow_id: optional(text(1, 255).annotate({ description: "The published flow's provider_flow_id." })),
  flow_name: optional(text(1, 128).annotate({ description: "Name of the published flow, instead of flow_id." })),
  flow_token: text(1, 256).annotate({
    description: "Your token for the answer: it is returned as submission.provider_token."
  }),
  flow_cta: text(1, 30).annotate({ description: "Label of the button that opens the flow." }),
  mode: optional(
    Schema.Literals(["published", "draft"]).annotate({
      description: "State of the flow to open; published by default."
    })
  ),
  flow_action: optional(
    Schema.Literals(["navigate", "data_exchange"]).annotate({ description: "Action of the flow; navigate by default." })
  ),
  flow_action_payload: optional(
    Schema.Record(Schema.String, Schema.Unknown).annotate({ description: "Data for the first screen." })
  )
})
  .annotate({ description: "The flow and how it opens: exactly one of flow_id and flow_name." })
  .check(
    Schema.makeFilter(({ flow_id, flow_name }) =>
      (typeof flow_id === "string") === (typeof flow_name === "string")
        ? { path: [], issue: "exactly one of flow_id, flow_name" }
        : undefined
    )
  )

/** A flow for the customer to complete. M-FLOW-01..05, gaps-2 B "Content bounds and optional fields" */
export const FlowContent = Schema.Struct({
  body: Schema.Struct({ text: text(1, 1024).annotate({ description: "The text." }) }).annotate({
    description: "The text."
  }),
  action: Schema.Struct({ name: Schema.Literal("flow"), parameters: FlowParameters }).annotate({
    description: "The flow that the button opens."
  })
}).annotate({ description: "A flow for the customer to complete." })
export type FlowContent = typeof FlowContent.Type
