import { Context, Effect, Layer, Metric, type Scope } from "effect"

/** Takes one observation. Resolve it once and keep it: calling it costs a map lookup and no effect. */
export type Series = (value: number) => void

/** The series of one metric, by the values of its labels in the order they were declared. */
export type Family = (...labelValues: ReadonlyArray<string>) => Series

interface Description {
  readonly name: string
  readonly help: string
  readonly labels?: ReadonlyArray<string>
}

/** Bounds in seconds that suit answers of a service. */
export const secondsBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const

/** Bounds that suit sizes of batches. */
export const sizeBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024] as const

/** Makes metrics. Names follow Prometheus: base units, `_total` for what only grows, label values from small sets. */
export interface Instruments {
  counter(description: Description): Family
  histogram(description: Description & { readonly bounds: ReadonlyArray<number> }): Family
  gauge(description: Description): Family
  /** A gauge that is asked for its value at every scrape, until the scope closes. */
  reading(description: ReadingDescription, read: () => number): Effect.Effect<void, never, Scope.Scope>
  /** The same of something that only grows: a counter. */
  growing(description: ReadingDescription, read: () => number): Effect.Effect<void, never, Scope.Scope>
}

/** One series, with the values of its labels. */
type ReadingDescription = Omit<Description, "labels"> & { readonly labels?: Readonly<Record<string, string>> }

const make = (context: Context.Context<never>): Instruments => {
  const family = (
    description: Description,
    series: (attributes: Record<string, string>) => Metric.Metric<number, unknown>
  ) => {
    const known = new Map<string, Series>()
    return (...values: ReadonlyArray<string>): Series => {
      const key = values.length === 1 ? (values[0] ?? "") : values.join("\u0000")
      let found = known.get(key)
      if (found === undefined) {
        const metric = series(
          Object.fromEntries((description.labels ?? []).map((label, at) => [label, values[at] ?? ""]))
        )
        found = (value) => metric.updateUnsafe(value, context)
        known.set(key, found)
      }
      return found
    }
  }
  const asked = <State>(metric: Metric.Metric<number, State>, get: () => State) =>
    Effect.asVoid(
      Effect.acquireRelease(
        Effect.sync(() =>
          Metric.registerUnsafe(metric, context, { get, update: () => undefined, modify: () => undefined })
        ),
        (registration) => Effect.sync(() => registration.remove())
      )
    )
  return {
    counter: (it) =>
      family(it, (attributes) => Metric.counter(it.name, { description: it.help, attributes, incremental: true })),
    histogram: (it) =>
      family(it, (attributes) =>
        Metric.histogram(it.name, { description: it.help, attributes, boundaries: it.bounds })
      ),
    gauge: (it) => family(it, (attributes) => Metric.gauge(it.name, { description: it.help, attributes })),
    reading: (it, read) =>
      asked(Metric.gauge(it.name, { description: it.help, attributes: it.labels ?? {} }), () => ({ value: read() })),
    growing: (it, read) =>
      asked(Metric.counter(it.name, { description: it.help, attributes: it.labels ?? {}, incremental: true }), () => ({
        count: read(),
        incremental: true
      }))
  }
}

/** The instruments of this process, over the metric registry of its context; there without any layer. */
export const Instruments = Context.Reference<Instruments>("@carteiro/owners/metrics/Instruments", {
  defaultValue: () => make(Context.empty())
})

/** Instruments over the registry in force where the layer is built. */
export const layer = Layer.effect(Instruments, Effect.map(Effect.context<never>(), make))
