import { Context, Effect, Layer, type Scope } from "effect"

/**
 * Builds a layer of the runtime library without the product's services around it. Every owner in memory holds copies of
 * the list of services that its type was registered with. A behaviour gets its services when it is made, so the list is
 * kept short.
 */
export const unburdened = <A, E, R>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  Layer.effectContext(
    Effect.updateContext(Layer.build(layer), (around: Context.Context<R | Scope.Scope>) => withoutProduct(around))
  )

const withoutProduct = <Services>(context: Context.Context<Services>): Context.Context<Services> =>
  Context.makeUnsafe(new Map([...context.mapUnsafe].filter(([key]) => !key.startsWith("@carteiro/"))))
