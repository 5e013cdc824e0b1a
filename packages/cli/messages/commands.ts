import { Option } from "commander"
import { collect, type Declare, examples } from "../shell/Commands.ts"
import type { SendOptions } from "./Send.ts"
import type { TailOptions } from "./Tail.ts"

/** Sending messages and watching them. */
export const messageCommands: Declare = (parent, shellOf) => {
  const messages = parent.command("messages").description("send messages and watch them")
  const send = messages
    .command("send")
    .description("send a text, a template or a file")
    .requiredOption("--to <phone>", "the customer, such as +5511999998888, or the id of a group (grp_…)")
    .option("--region <code>", "the region of a number without + or 00, the project's when left out")
    .option("--text <text>", "a text")
    .option("--template <name[:language]>", "an approved template; pt_BR without a language")
    .option("--var <name=value>", "a variable of the template, given once for each", collect)
    .option("--file <path>", "an image, audio, video or document, uploaded first")
    .option("--caption <text>", "the text under a file")
    .option(
      "--sender <id>",
      "the number that sends; the only active one, or among several the last named, when left out"
    )
    .addOption(new Option("--scenario <name>", "what a sandbox plays, such as delivery_failure"))
    .option("--idempotency-key <key>", "send once, however often this is repeated")
    .action(async (options: SendOptions, command) => (await import("./Send.ts")).send(shellOf(command), options))
  examples(
    send,
    "messages send --to +5511999998888 --text 'Olá!'",
    "messages send --to +5511999998888 --template welcome:pt_BR --var 1=Ana",
    "messages send --to +5511999998888 --file menu.pdf --caption Cardápio"
  )
  const tail = messages
    .command("tail")
    .description("show messages as they come and go")
    .addOption(new Option("--direction <direction>", "only these").choices(["inbound", "outbound"]))
    .action(async (options: TailOptions, command) => (await import("./Tail.ts")).tail(shellOf(command), options))
  examples(tail, "messages tail", "messages tail --direction inbound --json")
}
