import type { Carteiro } from "@carteiro/sdk"
import { patient } from "../rows/Runs.ts"
import { sleep } from "../shell/Clock.ts"
import { progress } from "../shell/Progress.ts"
import type { Shell } from "../shell/Shell.ts"

const final: ReadonlySet<string> = new Set(["completed", "cancelled", "failed"])

/** Returns a count of all batches together. */
export const sumOf = (
  batches: ReadonlyArray<Carteiro.Batch>,
  member: "recipient_count" | "sent_count" | "failed_count"
): number => batches.reduce((total, batch) => total + batch[member], 0)

/** Shows how far batches are until all of them are final. */
export const follow = async (
  shell: Shell,
  client: Carteiro,
  ids: ReadonlyArray<string>
): Promise<ReadonlyArray<Carteiro.Batch>> => {
  const bar = progress(shell)
  try {
    for (;;) {
      const batches = await Promise.all(ids.map((id) => client.batches.get(id, patient(shell))))
      const [total, sent, failed] = [
        sumOf(batches, "recipient_count"),
        sumOf(batches, "sent_count"),
        sumOf(batches, "failed_count")
      ]
      bar.show(Math.min(total, sent + failed), total, `${sent} sent, ${failed} failed`)
      if (batches.every(({ status }) => final.has(status))) return batches
      await sleep(1000, shell.io.signal)
      shell.io.signal.throwIfAborted()
    }
  } finally {
    bar.end()
  }
}
