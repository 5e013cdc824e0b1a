import type { Shell } from "./Shell.ts"

/** A progress bar on a terminal's error output; elsewhere one line at the end. */
export interface Progress {
  readonly show: (done: number, total: number, about: string) => void
  readonly end: () => void
}

const cells = 24

/** Starts a bar. */
export const progress = (shell: Shell): Progress => {
  const { stderr } = shell.io
  const isLive = stderr.isTTY === true && !shell.options.json
  let last = ""
  return {
    show: (done, total, about) => {
      const share = total === 0 ? 1 : Math.min(1, done / total)
      const filled = Math.round(share * cells)
      last = `${"█".repeat(filled)}${"░".repeat(cells - filled)} ${done}/${total}  ${about}`
      if (isLive) stderr.write(`\r\u001b[2K${last}`)
    },
    end: () => {
      if (last === "") return
      stderr.write(isLive ? "\n" : shell.options.json ? "" : `${last}\n`)
      last = ""
    }
  }
}
