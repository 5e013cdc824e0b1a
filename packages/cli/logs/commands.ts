import { type Declare, examples } from "../shell/Commands.ts"
import type { TailOptions } from "./Tail.ts"

/** Commands about the requests of the environment's keys. */
export const logCommands: Declare = (parent, shellOf) => {
  const logs = parent.command("logs").description("requests of your keys, and what was answered")
  const tail = logs
    .command("tail")
    .description("show requests as they come")
    .option("--status <status>", "only this status, or a class such as 4xx")
    .option("--code <code>", "only this error code")
    .option("--method <method>", "only this method, such as POST")
    .option("--route <route>", "only this route, such as /v1/messages/{message_id}")
    .option("--key <id>", "only requests of this key")
    .action(async (options: TailOptions, command) => (await import("./Tail.ts")).tail(shellOf(command), options))
  examples(tail, "logs tail", "logs tail --status 4xx", "logs tail --route /v1/messages --method POST --json")
  const show = logs
    .command("show <request-id>")
    .description("show a request with its bodies, without secrets")
    .action(async (id: string, _options, command) => (await import("./Show.ts")).show(shellOf(command), id))
  examples(show, "logs show req_…")
}
