import { Schema } from "effect"
import { defineEvent } from "../conventions/Event.ts"
import { id } from "../conventions/Ids.ts"
import { Timestamp } from "../conventions/Timestamp.ts"

/** The status of a flow. gaps-2 G "Flow routes" */
export const FlowStatus = Schema.Literals(["draft", "publishing", "published", "rejected", "deprecated"]).annotate({
  description: "Status of the flow."
})

/** A customer's answers; `provider_token` echoes the send's flow_token. M-EVT-09, M-FLOW-04 */
export const FlowSubmission = Schema.Struct({
  id: id("fls"),
  provider_token: Schema.String.annotate({ description: "The flow_token of the message that opened the flow." }),
  response: Schema.Record(Schema.String, Schema.Unknown).annotate({ description: "Answers of the customer." }),
  message_id: id("msg").annotate({ description: "The message that opened the flow." }),
  received_at: Timestamp
}).annotate({ identifier: "FlowSubmission", description: "Answers of the customer, with their time." })

/** M-EVT-08, M-EVT-09 */
export const FlowCompleted = defineEvent(
  "flow.completed",
  Schema.Struct({
    flow_id: id("flw"),
    name: Schema.String.annotateKey({ description: "Name of the flow." }),
    status: FlowStatus,
    provider_flow_id: Schema.NullOr(Schema.String).annotate({ description: "The provider's id of the flow." }),
    rejection_reason: Schema.NullOr(Schema.String).annotate({ description: "Reason for the rejection." }),
    submission: FlowSubmission
  }),
  { source_type: "flow", description: "A customer finished a flow." }
)
