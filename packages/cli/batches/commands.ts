import { type Declare, examples } from "../shell/Commands.ts"
import type { RunOptions } from "./Run.ts"

/** Batches from a file. */
export const batchCommands: Declare = (parent, shellOf) => {
  const batches = parent.command("batches").description("send a template to the recipients of a file")
  const command = batches
    .command("run")
    .argument("<file.csv>", "a column `to`; other columns are the template's variables")
    .requiredOption("--template <name[:language]>", "an approved template, such as promo:pt_BR")
    .option("--sender <id>", "the number that sends; the only active one when left out")
    .option("--name <name>", "how the batch is called")
    .description("start a batch and follow it; run again after an interruption, it follows the same batch")
    .option("--new", "start another batch, though the same file was run in the last 24 hours")
    .action(async (file: string, options: RunOptions, self) =>
      (await import("./Run.ts")).runBatch(shellOf(self), file, options)
    )
  examples(
    command,
    "batches run customers.csv --template promo:pt_BR",
    "batches run customers.csv --template promo --sender pn_… --json"
  )
}
