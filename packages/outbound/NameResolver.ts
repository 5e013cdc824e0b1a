import { Resolver } from "node:dns/promises"
import { Context, Effect, Layer } from "effect"

/**
 * Asks DNS for every address of a name on each call. The result is empty when the name does not resolve within the
 * given milliseconds. gaps-1 J "Unsafe destinations"
 */
export class NameResolver extends Context.Service<
  NameResolver,
  { resolve(name: string, withinMs: number): Effect.Effect<ReadonlyArray<string>> }
>()("@carteiro/outbound/NameResolver") {
  /** Uses the machine's own name servers. */
  static readonly layer: Layer.Layer<NameResolver> = Layer.sync(NameResolver, () => make([]))

  /** Uses the given name servers, each `address:port`. */
  static readonly layerWith = (servers: ReadonlyArray<string>): Layer.Layer<NameResolver> =>
    Layer.sync(NameResolver, () => make(servers))
}

// Plain DNS rather than getaddrinfo: no hosts file, no search domains that would turn a tenant's name into an internal
// one, and a silent name server cannot block the four threads that the whole process shares.
const make = (servers: ReadonlyArray<string>) => {
  const resolver = new Resolver({ timeout: 1500, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  const open = new Map<string, Promise<ReadonlyArray<string>>>()

  // Attempts that ask while an equal question is on the wire share its answer.
  const ask = (name: string): Promise<ReadonlyArray<string>> => {
    const known = open.get(name)
    if (known !== undefined) return known
    const answer = Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]).then((results) => {
      open.delete(name)
      return results.flatMap((result) => (result.status === "fulfilled" ? result.value : []))
    })
    open.set(name, answer)
    return answer
  }

  return NameResolver.of({
    resolve: (name, withinMs) =>
      Effect.callback<ReadonlyArray<string>>((resume) => {
        const timer = setTimeout(() => resume(Effect.succeed([])), withinMs)
        ask(name).then((addresses) => {
          clearTimeout(timer)
          resume(Effect.succeed(addresses))
        })
        return Effect.sync(() => clearTimeout(timer))
      })
  })
}
