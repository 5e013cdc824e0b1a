import { Context, Effect, Layer, type Scope } from "effect"

/**
 * The result of one check, with a sentence for operators that holds no secret. A degraded process lacks something and
 * still takes requests. gaps-1 A "Health endpoints"
 */
export interface HealthResult {
  readonly status: "ok" | "degraded" | "failed"
  readonly detail: string
}

/** One check of something that this process needs. */
export type HealthCheck = Effect.Effect<HealthResult>

/** Makes the result of a check that passed. */
export const passed = (detail: string): HealthResult => ({ status: "ok", detail })

/** Makes the result of a check that found a fault which does not affect every request; `detail` says which fault. */
export const degraded = (detail: string): HealthResult => ({ status: "degraded", detail })

/** Makes the result of a check that failed; `detail` says why. */
export const failed = (detail: string): HealthResult => ({ status: "failed", detail })

/** Holds the checks that must pass for this process to take requests. Each part registers its own under a name. */
export class HealthChecks extends Context.Service<
  HealthChecks,
  {
    /** Registers a check until the scope closes; a later check with an equal name replaces it. */
    readonly add: (name: string, check: HealthCheck) => Effect.Effect<void, never, Scope.Scope>
    /** Runs all checks at once, or only the named ones. A check that dies or takes more than two seconds has failed. */
    readonly run: (only?: ReadonlyArray<string>) => Effect.Effect<{ readonly [name: string]: HealthResult }>
  }
>()("@carteiro/owners/HealthChecks") {
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
            Effect.map(bounded(check), (result) => [name, result] as const)
          return Effect.map(Effect.forEach(named, one, { concurrency: "unbounded" }), Object.fromEntries)
        })
    })
  })
}

/** Returns the worst status among the results. Only `failed` keeps a process from taking requests. */
export const worstOf = (results: { readonly [name: string]: HealthResult }): HealthResult["status"] => {
  const found = new Set(Object.values(results).map(({ status }) => status))
  return found.has("failed") ? "failed" : found.has("degraded") ? "degraded" : "ok"
}

const bounded = (check: HealthCheck): Effect.Effect<HealthResult> =>
  check.pipe(
    Effect.timeoutOrElse({
      duration: "2 seconds",
      orElse: () => Effect.succeed(failed("The check got no answer within 2 seconds."))
    }),
    Effect.catchCause((cause) =>
      Effect.as(Effect.logWarning("a health check died", cause), failed("The check died; the log has the reason."))
    )
  )
