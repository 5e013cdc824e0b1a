import { Option } from "commander"
import { type Declare, examples, listOptions } from "../shell/Commands.ts"
import type { ContactExportOptions } from "./Export.ts"
import type { ImportOptions } from "./Import.ts"

/** Contacts from a file, and into one. */
export const contactCommands: Declare = (parent, shellOf) => {
  const contacts = parent.command("contacts").description("bring in customers who agreed to be written to")
  const read = listOptions(
    contacts
      .command("import")
      .argument(
        "<file.csv>",
        "a column `phone` or `telefone`; other columns become metadata; - reads the standard input"
      )
      .description(
        "check every row, and opt the customers of a file in; run again, it goes on with those that are left"
      )
      .option("--source <name>", "where the choice comes from")
  ).action(async (file: string, options: ImportOptions, self) =>
    (await import("./Import.ts")).importContacts(shellOf(self), file, options)
  )
  examples(
    read,
    "contacts import customers.csv --source site",
    "contacts import clientes.csv --phone-column Telefone --dry-run",
    "contacts import clientes.csv --skip-bad --yes --json",
    "contacts import - --yes < clientes.csv"
  )
  const write = contacts
    .command("export")
    .description("print contacts as CSV, in a form that can be imported again")
    .addOption(new Option("--status <status>", "only these").choices(["opted_in", "opted_out", "none"]))
    .addOption(new Option("--format <form>", "br for Brazilian spreadsheets").choices(["rfc", "br"]).default("rfc"))
    .option("--output <file>", "write a file instead")
    .action(async (options: ContactExportOptions, self) =>
      (await import("./Export.ts")).exportContacts(shellOf(self), options)
    )
  examples(write, "contacts export --status opted_in", "contacts export --format br --output contatos.csv")
}
