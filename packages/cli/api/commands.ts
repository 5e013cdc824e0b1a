import { type Declare, examples } from "../shell/Commands.ts"
import type { CallOptions } from "./Call.ts"

/** Any route by its path. */
export const apiCommands: Declare = (parent, shellOf) => {
  const api = parent.command("api").description("call any route of the API")
  for (const method of ["get", "post", "put", "patch", "delete"] as const) {
    const command = api
      .command(method)
      .argument("<path>", "below /v1, such as messages or messages/msg_…")
      .argument(
        "[field=value...]",
        method === "get" || method === "delete" ? "the query" : "members of the body: name=text, name:=json, a.b=c"
      )
      .description(`send ${method.toUpperCase()} and print the answer`)
      .option("--idempotency-key <key>", "run the operation once, however often this is repeated")
      .option("--region <code>", "the region of phone numbers without + or 00, the project's when left out")
    if (method !== "get" && method !== "delete")
      command.option("--body <json>", "the body as JSON; @file reads a file, - the input")
    command.action(async (path: string, words: ReadonlyArray<string>, options: CallOptions, self) =>
      (await import("./Call.ts")).call(shellOf(self), method.toUpperCase(), path, words, options)
    )
    examples(command, ...shown[method])
  }
}

const shown = {
  get: ["api get messages limit=5", "api get account"],
  post: [
    "api post webhook-endpoints url=https://example.com/hook subscribed_events:='[\"message.received\"]'",
    "api post messages --body @message.json"
  ],
  put: ["api put billing/auto-topup --body @topup.json"],
  patch: ["api patch webhook-endpoints/we_… status=active"],
  delete: ["api delete contacts/con_…"]
} as const
