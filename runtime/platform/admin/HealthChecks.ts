import { Context, Effect, Layer, type Scope } from "effect"

/** True when all is well; false or a sentence about what is not. The sentence is for operators and holds no secret. */
export type HealthCheck = Effect.Effect<boolean | string>

/** How one check went. gaps-1 A "Health endpoints" */
export interface HealthResult {
  readonly status: "ok" | "failed"
  readonly detail?: string
}

/** What must hold for this process to take requests; whoever knows registers it under a name. */
export class HealthChecks extends Context.Service<
  HealthChecks,
  {
    /** Registers a check until the scope closes; a later one of the same name replaces it. */
    readonly add: (name: string, check: HealthCheck) => Effect.Effect<void, never, Scope.Scope>
    /** Runs all at once, or only the named; one that takes over two seconds or dies has failed. */
    readonly run: (only?: ReadonlyArray<string>) => Effect.Effect<{ readonly [name: string]: HealthResult }>
  }
>()("@carteiro/runtime/platform/admin/HealthChecks") {
  static readonly layer = Layer.sync(HealthChecks, () => {
    const checks = new Map<string, HealthCheck>()
    return HealthChecks.of({
      add: (name, check) =>
        Effect.asVoid(
          Effect.acquireRelease(
            Effect.sync(() => checks.set(name, check)),
            () =>
              Effect.sync(() => {
                if (checks.get(name) === check) checks.delete(name)
              })
          )
        ),
      run: (only) =>
        Effect.suspend(() => {
          const named = [...checks].filter(([name]) => only === undefined || only.includes(name))
          const one = ([name, check]: readonly [string, HealthCheck]) =>
            Effect.map(judged(check), (result) => [name, result] as const)
          return Effect.map(Effect.forEach(named, one, { concurrency: "unbounded" }), Object.fromEntries)
        })
    })
  })
}

/** Whether every check passed. */
export const allOk = (results: { readonly [name: string]: HealthResult }): boolean =>
  Object.values(results).every(({ status }) => status === "ok")

const judged = (check: HealthCheck): Effect.Effect<HealthResult> =>
  check.pipe(
    Effect.timeoutOrElse({ duration: "2 seconds", orElse: () => Effect.succeed("no answer within 2 seconds") }),
    Effect.map((answer): HealthResult => {
      if (answer === true) return { status: "ok" }
      return answer === false ? { status: "failed" } : { status: "failed", detail: answer }
    }),
    Effect.catchCause((cause) =>
      Effect.as(Effect.logWarning("a health check died", cause), {
        status: "failed",
        detail: "the check died"
      } as const)
    )
  )
