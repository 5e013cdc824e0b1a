import { Context, Effect, Layer, type Scope } from "effect"

/**
 * How one check went, with a sentence about it for operators, which holds no secret. A degraded process lacks something
 * and still takes requests. gaps-1 A "Health endpoints"
 */
export interface HealthResult {
  readonly status: "ok" | "degraded" | "failed"
  readonly detail: string
}

/** Looks whether one thing holds that this process needs. */
export type HealthCheck = Effect.Effect<HealthResult>

/** The check found that all is well. */
export const passed = (detail: string): HealthResult => ({ status: "ok", detail })

/** The check found that something is missing that not every request needs: the sentence says what. */
export const degraded = (detail: string): HealthResult => ({ status: "degraded", detail })

/** The check found that something is wrong: the sentence says what. */
export const failed = (detail: string): HealthResult => ({ status: "failed", detail })

/** Checks that must hold for this process to take requests. Each part registers its own under a name. */
export class HealthChecks extends Context.Service<
  HealthChecks,
  {
    /** Registers a check until the scope closes; a later one of the same name replaces it. */
    readonly add: (name: string, check: HealthCheck) => Effect.Effect<void, never, Scope.Scope>
    /** Runs all at once, or only the named; one that takes over two seconds or dies has failed. */
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

/** The worst status among the results. Only `failed` keeps a process from taking requests. */
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
