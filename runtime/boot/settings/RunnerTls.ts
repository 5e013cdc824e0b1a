import { readFileSync } from "node:fs"
import type { RunnerTls } from "@carteiro/owners/Cluster.ts"
import { Effect, Redacted } from "effect"
import { StartRefused } from "../StartRefused.ts"

/** Returns the texts of a node's certificate files; undefined unless all three are named. */
export const readRunnerTls = (files: {
  readonly cert: string | undefined
  readonly key: string | undefined
  readonly ca: string | undefined
}): Effect.Effect<RunnerTls | undefined, StartRefused> => {
  const { ca, cert, key } = files
  if (cert === undefined || key === undefined || ca === undefined) return Effect.succeed(undefined)
  return Effect.try({
    try: () => ({
      cert: readFileSync(cert, "utf8"),
      key: Redacted.make(readFileSync(key, "utf8")),
      ca: readFileSync(ca, "utf8")
    }),
    catch: () => new StartRefused({ message: "CARTEIRO_RUNNER_TLS_CERT, _KEY and _CA: expected readable files" })
  })
}
