import { type Declare, examples } from "../shell/Commands.ts"
import type { ResendOptions } from "./Resend.ts"

/** Deliveries to endpoints. */
export const webhookCommands: Declare = (parent, shellOf) => {
  const webhooks = parent.command("webhooks").description("deliveries to your endpoints")
  const resend = webhooks
    .command("resend")
    .description("deliver what active endpoints missed, or what you choose of the log again")
    .requiredOption("--since <when>", "a span such as 2h, or an instant such as 2026-11-22T08:00:00Z")
    .option("--failed", "only deliveries that failed, of the log")
    .option("--all", "every delivery of the log again, also those that arrived")
    .option("--endpoint <id>", "only this endpoint")
    .option("--event <type>", "only deliveries of this type, of the log")
    .option("--dry-run", "with --failed, --all or --event: count, and resend nothing")
    .action(async (options: ResendOptions, command) => (await import("./Resend.ts")).resend(shellOf(command), options))
  examples(
    resend,
    "webhooks resend --since 1d",
    "webhooks resend --since 2h --failed",
    "webhooks resend --since 1d --failed --endpoint we_… --dry-run"
  )
}
