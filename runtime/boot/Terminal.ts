/** Writes a line where a person reads it; piped output carries only what the boot contract promises. */
export const tellTerminal = (line: string): void => {
  if (process.stdout.isTTY === true) process.stdout.write(`  ${line}\n`)
}
