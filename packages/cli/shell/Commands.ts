import type { Command } from "commander"
import type { Shell } from "./Shell.ts"

/** Makes the shell of the command that runs. */
export type ShellOf = (command: Command) => Shell

/** Adds the commands of one subject below a command. */
export type Declare = (parent: Command, shellOf: ShellOf) => void

/** Adds examples below the help of a command. */
export const examples = (command: Command, ...lines: ReadonlyArray<string>): Command =>
  command.addHelpText("after", `\nExamples:\n${lines.map((line) => `  $ carteiro ${line}`).join("\n")}`)

/** Collects an option that is given several times. */
export const collect = (value: string, before: ReadonlyArray<string> | undefined): ReadonlyArray<string> => [
  ...(before ?? []),
  value
]
