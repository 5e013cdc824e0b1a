import { type Declare, examples } from "../shell/Commands.ts"
import type { ImportOptions } from "./Import.ts"

/** Contacts from a file. */
export const contactCommands: Declare = (parent, shellOf) => {
  const contacts = parent.command("contacts").description("bring in customers who agreed to be written to")
  const command = contacts
    .command("import")
    .argument("<file.csv>", "a column `phone`; other columns become metadata")
    .description("opt the customers of a file in; run again after an interruption, it goes on where it was")
    .option("--source <name>", "where the choice comes from")
    .action(async (file: string, options: ImportOptions, self) =>
      (await import("./Import.ts")).importContacts(shellOf(self), file, options)
    )
  examples(command, "contacts import customers.csv --source site", "contacts import customers.csv --json")
}
