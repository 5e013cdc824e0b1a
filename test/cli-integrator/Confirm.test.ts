import { PassThrough } from "node:stream"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { askPerson, confirm } from "../../packages/cli/shell/Confirm.ts"

/** A shell at a terminal whose person types the lines; without any, a program's. */
const shellOf = (typed?: string) => {
  const stdin = new PassThrough()
  const stderr = new PassThrough()
  if (typed !== undefined) stdin.write(`${typed}\n`)
  const io = {
    stdin: Object.assign(stdin, { isTTY: typed !== undefined }),
    stderr,
    signal: new AbortController().signal
  }
  return { shell: { io } as unknown as Parameters<typeof askPerson>[0], asked: () => String(stderr.read()) }
}
const way = { refusal: "nothing was done", next: "agree with --yes" }

it.effect("a person is asked on the error output, and agrees in English or Portuguese", () =>
  Effect.promise(async () => {
    for (const answer of ["y", "YES", "s", "Sim "]) {
      const { asked, shell } = shellOf(answer)
      await confirm(shell, "Go on?", way)
      assert.strictEqual(asked(), "Go on? [y/N] ")
    }
    for (const answer of ["", "n", "yesterday", "no"]) {
      const refused = await confirm(shellOf(answer).shell, "Go on?", way).catch((error: unknown) => error)
      assert.deepInclude(refused, { code: "not_confirmed", message: "nothing was done", next: "agree with --yes" })
    }
  })
)

it.effect("a program is never asked", () =>
  Effect.promise(async () => {
    assert.strictEqual(await askPerson(shellOf().shell, "Which slug? "), undefined)
    const refused = await confirm(shellOf().shell, "Go on?", way).catch((error: unknown) => error)
    assert.deepInclude(refused, { code: "not_confirmed" })
  })
)
