import type { Command } from "commander"
import type { Shell } from "./Shell.ts"

/** Makes the shell of the command that runs. */
export type ShellOf = (command: Command) => Shell

/** Adds the commands of one subject below a command. */
export type Declare = (parent: Command, shellOf: ShellOf) => void

/** Adds examples below the help of a command. */
export const examples = (command: Command, ...lines: ReadonlyArray<string>): Command =>
  command.addHelpText("after", `\nExamples:\n${lines.map((line) => `  $ carteiro ${line}`).join("\n")}`)

/** Adds the options of every command that reads a list. */
export const listOptions = (command: Command): Command =>
  command
    .option("--phone-column <name>", "the column of phone numbers, by its name or its letters")
    .option("--region <code>", "the region of numbers without + or 00, the project's when left out")
    .option("--skip-bad", "leave bad rows out, and write them into a file beside this one")
    .option("--dry-run", "show what would be handed over, and hand over nothing")
    .option("--yes", "agree to numbers that are read otherwise than written")

/** Collects an option that is given several times. */
export const collect = (value: string, before: ReadonlyArray<string> | undefined): ReadonlyArray<string> => [
  ...(before ?? []),
  value
]
