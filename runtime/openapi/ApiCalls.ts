import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import { Context, Effect, Layer } from "effect"
import { committedDescription } from "./Committed.ts"
import type { CodeSample } from "./description/CodeSamples.ts"

/** An operation of the API as pages show its calls. */
export interface ApiCall {
  /** With `{name}` for parameters. */
  readonly path: string
  readonly scopes: ReadonlyArray<string>
  /** Names of the parameters of its query. */
  readonly query: ReadonlyArray<string>
  /** How it is called with curl, the SDK and the command line. */
  readonly samples: ReadonlyArray<CodeSample>
}

interface DescribedCall {
  readonly operationId?: string
  readonly parameters?: ReadonlyArray<{ readonly in: string; readonly name: string }>
  readonly "x-required-scopes"?: ReadonlyArray<string>
  readonly "x-codeSamples"?: ReadonlyArray<CodeSample>
}

/** Calls of the API by the id of their operation, read once out of the description; samples name this server's address. */
export class ApiCalls extends Context.Service<ApiCalls, { find(operationId: string): ApiCall }>()(
  "@carteiro/runtime/openapi/ApiCalls"
) {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const publicUrl = yield* PublicUrl
      const calls = readCalls(committedDescription() ?? '{"paths":{}}')
      return ApiCalls.of({
        find: (operationId) => {
          const call = calls.get(operationId)
          if (call === undefined) throw new Error(`no operation is called ${operationId}`)
          const samples = call.samples.map((sample) => ({
            ...sample,
            source: sample.source.replaceAll("$CARTEIRO_API_BASE", publicUrl())
          }))
          return { ...call, samples }
        }
      })
    })
  )
}

const readCalls = (description: string): ReadonlyMap<string, ApiCall> => {
  const { paths } = JSON.parse(description) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedCall>>>>
  }
  const calls = new Map<string, ApiCall>()
  for (const [path, operations] of Object.entries(paths)) {
    for (const operation of Object.values(operations)) {
      if (operation.operationId === undefined) continue
      calls.set(operation.operationId, {
        path,
        scopes: operation["x-required-scopes"] ?? [],
        query: (operation.parameters ?? []).filter((one) => one.in === "query").map(({ name }) => name),
        samples: operation["x-codeSamples"] ?? []
      })
    }
  }
  return calls
}
