import { type Declare, examples } from "../shell/Commands.ts"
import type { TriggerOptions } from "./Trigger.ts"

/** Commands that simulate events in a sandbox. */
export const triggerCommands: Declare = (parent, shellOf) => {
  const trigger = parent
    .command("trigger")
    .argument("[scenario]", "one of --list")
    .argument("[field=value...]", "fields of the scenario's request: name=text, name:=json, a.b=c")
    .description("play a scenario in the sandbox and show the events that follow")
    .option("--list", "list the scenarios and what each causes")
    .option("--customer <phone>", "the customer who plays along", "+5511999998888")
    .option("--region <code>", "the region of phone numbers without + or 00, the project's when left out")
    .option("--wait <span>", "how long to wait for what follows: 30s when left out, 90s for webhook.breaker")
    .option("--yes", "let a scenario move the sandbox's clock without asking")
    .action(async (name: string | undefined, words: ReadonlyArray<string>, options: TriggerOptions, command) =>
      (await import("./Trigger.ts")).trigger(shellOf(command), name, words, options)
    )
  examples(
    trigger,
    "trigger --list",
    "trigger message.received text.body='Quero agendar' from=+5511988887777",
    "trigger payment.paid amount_brl_centavos:=12550"
  )
}
