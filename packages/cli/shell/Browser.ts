import { spawn } from "node:child_process"
import type { Shell } from "./Shell.ts"

const openers: Readonly<Record<string, ReadonlyArray<string>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"]
}

/** Opens a page in the person's browser if there is one; the caller always prints the address. */
export const openPage = (shell: Shell, url: string): void => {
  if (shell.io.stdout.isTTY !== true || !/^https?:/.test(url)) return
  const [program = "xdg-open", ...words] = openers[shell.io.platform] ?? ["xdg-open"]
  const child = spawn(program, [...words, url], { stdio: "ignore", detached: true })
  child.once("error", () => {})
  child.unref()
}
