import { Option } from "commander"
import { collect, type Declare, examples, listOptions } from "../shell/Commands.ts"
import type { FailuresOptions } from "./Failures.ts"
import type { RunOptions } from "./Run.ts"

/** Batches from a file. */
export const batchCommands: Declare = (parent, shellOf) => {
  const batches = parent.command("batches").description("send a template to the recipients of a file")
  const run = listOptions(
    batches
      .command("run")
      .argument(
        "<file.csv>",
        "a column `to`, `phone` or `telefone`; columns with the names of the template's variables; - reads the standard input"
      )
      .requiredOption("--template <name[:language]>", "an approved template, such as promo:pt_BR")
      .option(
        "--sender <id>",
        "the number that sends; the only active one, or among several the last named, when left out"
      )
      .option("--name <name>", "how the batch is called")
      .description(
        "check every row, start a batch and follow it; run again, it goes on with the recipients that are left"
      )
      .option("--map <variable=column>", "the column of a variable or of metadata.…, several times", collect)
      .option("--new", "send to everybody, though recipients of this file were accepted before")
  ).action(async (file: string, options: RunOptions, self) =>
    (await import("./Run.ts")).runBatch(shellOf(self), file, options)
  )
  examples(
    run,
    "batches run customers.csv --template promo:pt_BR --dry-run",
    "batches run clientes.csv --template promo --phone-column Telefone --map 1=Nome",
    "batches run customers.csv --template promo --sender pn_… --json"
  )
  const failures = batches
    .command("failures")
    .argument("<batch>", "id of the batch")
    .description("print whom a batch failed for, as CSV")
    .addOption(new Option("--format <form>", "br for Brazilian spreadsheets").choices(["rfc", "br"]).default("rfc"))
    .option("--output <file>", "write a file instead")
    .action(async (id: string, options: FailuresOptions, self) =>
      (await import("./Failures.ts")).failures(shellOf(self), id, options)
    )
  examples(failures, "batches failures bat_… --format br --output falhas.csv")
}
