import { createInterface } from "node:readline/promises"
import { Failure } from "./Failure.ts"
import type { Shell } from "./Shell.ts"

/** Returns a person's answer to a question; undefined for a program, which has no terminal. */
export const askPerson = async ({ io }: Pick<Shell, "io">, question: string): Promise<string | undefined> => {
  const { signal, stderr, stdin } = io
  if (stdin.isTTY !== true) return undefined
  const asking = createInterface({ input: stdin, output: stderr })
  return (await asking.question(question, { signal }).finally(() => asking.close())).trim()
}

/** True for an answer that agrees, in English or Portuguese. */
export const isYes = (answer: string): boolean => /^(?:y(?:es)?|s(?:im)?)$/iu.test(answer)

/** Continues when a person agrees. Refuses otherwise, and says how a program agrees. */
export const confirm = async (
  shell: Pick<Shell, "io">,
  question: string,
  { next, refusal }: { readonly refusal: string; readonly next: string }
): Promise<void> => {
  const answer = await askPerson(shell, `${question} [y/N] `)
  if (answer !== undefined && isYes(answer)) return
  throw new Failure(refusal, { code: "not_confirmed", next })
}
