import { type Declare, examples } from "../shell/Commands.ts"

/** Commands about error codes. */
export const docsCommands: Declare = (parent, shellOf) => {
  const docs = parent
    .command("docs")
    .argument("[code]", "an error code; all of them when left out")
    .description("tell what an error code means, and which routes answer it")
    .action(async (code: string | undefined, _: object, command) =>
      (await import("./Codes.ts")).showCodes(shellOf(command), code)
    )
  examples(docs, "docs service_window_required", "docs")
}
