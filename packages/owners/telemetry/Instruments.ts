import { Context, Effect, Layer, Metric, type Scope } from "effect"

/** Records one observation. Resolve it once and keep it: a call costs a map lookup and no effect. */
export type Series = (value: number) => void

/** Returns the series of one metric for values of its labels, in the order in which the labels were declared. */
export type Family = (...labelValues: ReadonlyArray<string>) => Series

interface Description {
  readonly name: string
  readonly help: string
  readonly labels?: ReadonlyArray<string>
}

/** Histogram bounds in seconds for the response times of a service. */
export const secondsBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const

/** Histogram bounds for batch sizes. */
export const sizeBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024] as const

/** Makes metrics. Names follow Prometheus: base units, `_total` for counters, label values from small sets. */
export interface Instruments {
  counter(description: Description): Family
  histogram(description: Description & { readonly bounds: ReadonlyArray<number> }): Family
  gauge(description: Description): Family
  /** Registers a gauge that is read at every scrape, until the scope closes. */
  reading(description: ReadingDescription, read: () => number): Effect.Effect<void, never, Scope.Scope>
  /** Registers a counter that is read at every scrape, until the scope closes. */
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

/** Holds the instruments of this process, over the metric registry of its context; it needs no layer. */
export const Instruments = Context.Reference<Instruments>("@carteiro/owners/telemetry/Instruments", {
  defaultValue: () => make(Context.empty())
})

/** Makes instruments over the registry in force where the layer is built. */
export const layer = Layer.effect(Instruments, Effect.map(Effect.context<never>(), make))
