import type { Command } from "commander"
import { readProfiles } from "../profiles/ProfileFiles.ts"
import type { Shell } from "../shell/Shell.ts"

const scripts = {
  bash: `_carteiro() {
  local IFS=$'\\n'
  COMPREPLY=($(carteiro complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [ \${#COMPREPLY[@]} -gt 0 ] || compopt -o default
}
complete -F _carteiro carteiro
`,
  zsh: `#compdef carteiro
_carteiro() {
  local -a found
  found=("\${(@f)$(carteiro complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [ -n "\${found[1]}" ]; then compadd -- "\${found[@]}"; else _files; fi
}
if [ "\${funcstack[1]}" = "_carteiro" ]; then _carteiro "$@"; else compdef _carteiro carteiro; fi
`,
  fish: `complete -c carteiro -f -a '(carteiro complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`
} as const

/** Prints the script of a shell; it asks the program itself for words, so that it knows every command. */
export const script = (shell: Shell, name: keyof typeof scripts): void => {
  shell.io.stdout.write(scripts[name])
}

/** Prints the words that may stand at the end of a line, one a line. */
export const complete = async (shell: Shell, root: Command, words: ReadonlyArray<string>): Promise<void> => {
  const last = words.at(-1) ?? ""
  let command = root
  for (const word of words.slice(0, -1)) command = command.commands.find((one) => one.name() === word) ?? command
  const found = (await candidates(shell, root, command, words.at(-2) ?? "", last)).filter((word) =>
    word.startsWith(last)
  )
  if (found.length > 0) shell.print(found.join("\n"))
}

const candidates = async (
  shell: Shell,
  root: Command,
  command: Command,
  before: string,
  last: string
): Promise<ReadonlyArray<string>> => {
  const help = command.createHelp()
  const option = [...command.options, ...root.options].find(({ long, short }) => long === before || short === before)
  if (before === "--profile" || (command.name() === "switch" && !last.startsWith("-")))
    return (await readProfiles(shell.io)).map(({ name }) => name)
  if (option?.argChoices !== undefined) return option.argChoices
  if (last.startsWith("-"))
    return [...help.visibleOptions(command), ...root.options].flatMap(({ long }) =>
      typeof long === "string" ? [long] : []
    )
  const below = help.visibleCommands(command).map((one) => one.name())
  if (below.length > 0) return below
  if (command.name() === "trigger") return (await import("../trigger/Scenarios.ts")).scenarios.map(({ name }) => name)
  if (command.name() === "open") return Object.keys((await import("../console/Pages.ts")).sections)
  return command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
}
