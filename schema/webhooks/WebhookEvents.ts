import { Schema } from "effect"
import { defineEvent } from "../conventions/Event.ts"
import { id } from "../conventions/Ids.ts"

/** The test event: delivered on demand, never subscribed to. A-WHT-02, gaps-1 K "webhook.test content" */
export const WebhookTestEvent = defineEvent(
  "webhook.test",
  Schema.Struct({ webhook_endpoint_id: id("we"), message: Schema.Literal("Test delivery") }),
  { source_type: "webhook_test", description: "A test of one endpoint, asked for by the caller." }
)
