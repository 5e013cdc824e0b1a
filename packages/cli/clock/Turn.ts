import type { Carteiro } from "@carteiro/sdk"
import { sleep } from "../shell/Clock.ts"
import { askPerson } from "../shell/Confirm.ts"
import { Failure, usage } from "../shell/Failure.ts"
import type { Shell } from "../shell/Shell.ts"
import { counted } from "../shell/Table.ts"

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** Returns the body of an advance from a person's text: a number with s, m, h or d, or an instant. */
const wayOf = (howFar: string): Carteiro.SandboxClockAdvanceParams => {
  const [, count, unit] = /^(\d+)([smhd])$/u.exec(howFar) ?? []
  if (count !== undefined && unit !== undefined) return { by_seconds: Number(count) * (unitSeconds[unit] ?? 1) }
  if (!/^\d{4}-/u.test(howFar) || Number.isNaN(Date.parse(howFar)))
    throw usage(`${howFar} is no length such as 90s, 28h or 40d, and no instant`)
  return { to: howFar }
}

/** Turns the clock ahead and returns the advance once it has ended. */
export const turnAhead = async (
  client: Carteiro,
  signal: AbortSignal,
  body: Carteiro.SandboxClockAdvanceParams
): Promise<Carteiro.SandboxClockAdvance> => {
  const { id } = await client.sandbox.clock.advance(body)
  return ended(client, signal, id)
}

/** Reads an advance or a reset until it has ended. */
const ended = async (client: Carteiro, signal: AbortSignal, id: string): Promise<Carteiro.SandboxClockAdvance> => {
  for (;;) {
    const advance = await client.sandbox.clock.advances.get(id)
    if (advance.status !== "running") return advance
    await sleep(100, signal)
    signal.throwIfAborted()
  }
}

/** Turns the clock ahead and waits for its end. */
export const advanceClock = async (shell: Shell, howFar: string): Promise<void> => {
  const advance = await turnAhead(await shell.client(), shell.io.signal, wayOf(howFar))
  const { error, reached, steps } = advance
  if (error !== null) throw new Failure(`stopped at ${reached}: ${error.message}`, { code: error.code })
  shell.result(advance, `It is ${reached} in this sandbox; ${counted(steps, "due instant")} ran on the way.`)
}

/**
 * Empties the sandbox, takes its clock back to real time and waits for the end. The slug of the project is the consent: a
 * person is asked for it, a program writes it.
 */
export const resetClock = async (shell: Shell, writtenSlug: string | undefined): Promise<void> => {
  const slug = writtenSlug ?? (await askPerson(shell, "This empties the sandbox. Type the slug of its project: "))
  if (slug === undefined || slug === "")
    throw new Failure("a reset empties the sandbox, and nothing was done", {
      code: "not_confirmed",
      next: "write the slug of its project: carteiro clock reset <slug>"
    })
  const client = await shell.client()
  const { id } = await client.sandbox.clock.reset({ project_slug: slug })
  const reset = await ended(client, shell.io.signal, id)
  shell.result(reset, "The sandbox is empty, and its time is real time.")
}

/** Stops, resumes or shows the clock. */
export const moveClock = async (shell: Shell, move: "freeze" | "resume" | "get"): Promise<void> => {
  const { clock } = (await shell.client()).sandbox
  const shown = await clock[move]()
  const stands = shown.frozen ? "and stands there" : "and goes on"
  shell.result(
    shown,
    `It is ${shown.now} in this sandbox, ${shown.lead_seconds} seconds ahead of real time, ${stands}.`
  )
}
