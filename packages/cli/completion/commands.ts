import { Argument } from "commander"
import { type Declare, examples } from "../shell/Commands.ts"

/** Completion of commands in shells. */
export const completionCommands: Declare = (parent, shellOf) => {
  const completion = parent
    .command("completion")
    .addArgument(new Argument("<shell>", "your shell").choices(["bash", "zsh", "fish"]))
    .description("print the script that completes commands")
    .action(async (name: "bash" | "zsh" | "fish", _: object, command) =>
      (await import("./Completion.ts")).script(shellOf(command), name)
    )
  examples(
    completion,
    "completion bash >> ~/.bashrc",
    "completion zsh > ~/.zfunc/_carteiro",
    "completion fish > ~/.config/fish/completions/carteiro.fish"
  )
  parent
    .command("complete", { hidden: true })
    .argument("[words...]")
    .allowUnknownOption()
    .helpOption(false)
    .action(async (words: ReadonlyArray<string>, _: object, command) =>
      (await import("./Completion.ts")).complete(shellOf(command), parent, words)
    )
}
