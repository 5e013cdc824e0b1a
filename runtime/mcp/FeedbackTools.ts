import { pageReply } from "@carteiro/http-edge/Paging.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { defaultPageSize } from "@carteiro/schema/conventions/Page.ts"
import { Effect } from "effect"
import { ReportReads } from "../feedback/Feedback.ts"
import type { Tool } from "./Tool.ts"
import { argument } from "./ToolArguments.ts"

const { anyText, optional, whole } = argument

/** The feedback tools: every key sees them, and a call needs `messages:read`. A-MCP-01..05 */
export const feedbackTools = Effect.map(
  ReportReads,
  (reads): ReadonlyArray<Tool> => [
    {
      name: "list_feedback",
      title: "List feedback reports",
      description:
        "Feedback reports sent through the API from the environment of the key, newest first, and how each ended.",
      arguments: {
        limit: optional(whole(1, 50, "Reports a page; 20 when left out")),
        after: optional(anyText("The `next_cursor` of the page before"))
      },
      isReadOnly: true,
      isFor: () => true,
      scopes: ["messages:read"],
      call: ({ caller, http }, { after, limit = defaultPageSize }) =>
        Effect.map(reads.list(caller.environment_id, after as string | undefined, limit as number), (page) =>
          pageReply(http, page)
        )
    },
    {
      name: "get_feedback",
      title: "Read a feedback report",
      description: "One feedback report with its status and latest resolution.",
      arguments: { feedback_report_id: anyText("The id of the receipt, fbk_…") },
      isReadOnly: true,
      isFor: () => true,
      scopes: ["messages:read"],
      call: ({ caller, http }, { feedback_report_id }) =>
        Effect.map(reads.get(caller.environment_id, feedback_report_id as string), (report) => reply(http, 200, report))
    }
  ]
)
