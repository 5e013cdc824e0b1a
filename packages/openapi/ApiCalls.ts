import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import { jsonCodec } from "@carteiro/tables/StoredJson.ts"
import { Context, Effect, Layer } from "effect"
import { committedDescription } from "./Committed.ts"
import { type CodeSample, codeSamples } from "./description/CodeSamples.ts"
import type { Json } from "./description/Json.ts"

/** An operation of the API with its sample calls, for the dashboard and the documentation. */
export interface ApiCall {
  readonly operationId: string
  /** In capitals. */
  readonly method: string
  /** With `{name}` for parameters. */
  readonly path: string
  readonly scopes: ReadonlyArray<string>
  /** The names of its query parameters. */
  readonly query: ReadonlyArray<string>
  /** Its calls with curl, the SDK and the command line. */
  readonly samples: ReadonlyArray<CodeSample>
  /** The operation as the description has it. */
  readonly described: DescribedCall
}

/** A parameter as the description has it. */
export interface DescribedParameter {
  readonly in: string
  readonly name: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Json
}

/** An operation as the description has it. */
export interface DescribedCall {
  readonly operationId: string
  readonly tags: ReadonlyArray<string>
  readonly summary?: string
  readonly description?: string
  readonly security?: ReadonlyArray<unknown>
  readonly parameters?: ReadonlyArray<DescribedParameter>
  readonly requestBody?: { readonly content: Readonly<Record<string, Json>> }
  readonly responses: Readonly<Record<string, Json>>
  readonly "x-required-scopes"?: ReadonlyArray<string>
  readonly "x-codeSamples"?: ReadonlyArray<CodeSample>
}

/** A request in a guide. */
export interface SampledRequest {
  readonly method: string
  /** The path, with ids or names in capitals in the place of parameters. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}

/** The parts of the description to which operations refer by name. */
export interface Components {
  readonly schemas?: Readonly<Record<string, Json>>
  readonly responses?: Readonly<Record<string, Json>>
}

interface Described {
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description?: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedCall>>>>
  readonly components?: Components
}

const describedJson = jsonCodec<Described>()

/** The calls of the API, read from the description by the first page that shows one; samples have this server's address. */
export class ApiCalls extends Context.Service<
  ApiCalls,
  {
    find(operationId: string): ApiCall
    /** Every operation, in the order of the contract. */
    all(): ReadonlyArray<ApiCall>
    /** The groups of operations with their purposes. */
    tags(): Described["tags"]
    components(): Components
    /** Returns a request with its own body as curl, SDK and command line; undefined when it is no operation. */
    sample(request: SampledRequest): ApiCall | undefined
  }
>()("@carteiro/openapi/ApiCalls") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const publicUrl = yield* PublicUrl
      let read: ReadCalls | undefined
      const known = (): ReadCalls => (read ??= readDescription())
      const here = (call: ApiCall): ApiCall => ({
        ...call,
        samples: call.samples.map((sample) => ({
          ...sample,
          source: sample.source.replaceAll("$CARTEIRO_API_BASE", publicUrl())
        }))
      })
      return ApiCalls.of({
        find: (operationId) => {
          const call = known().calls.find((one) => one.operationId === operationId)
          if (call === undefined) throw new Error(`no operation is called ${operationId}`)
          return here(call)
        },
        all: () => known().calls.map(here),
        tags: () => known().described.tags,
        components: () => known().described.components ?? {},
        sample: (request) => {
          const call = known().calls.find((one) => one.method === request.method && isAt(one.path, request.path))
          return call && here({ ...call, samples: samplesOf(call, request) })
        }
      })
    })
  )
}

interface ReadCalls {
  readonly described: Described
  readonly calls: ReadonlyArray<ApiCall>
}

const readDescription = (): ReadCalls => {
  const text = committedDescription()
  const described = text === undefined ? { tags: [], paths: {} } : describedJson.read(text)
  return { described, calls: readCalls(described) }
}

const readCalls = ({ paths }: Described): ReadonlyArray<ApiCall> =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, described]) =>
      described.operationId === undefined
        ? []
        : [
            {
              operationId: described.operationId,
              method: method.toUpperCase(),
              path,
              scopes: described["x-required-scopes"] ?? [],
              query: (described.parameters ?? []).filter((one) => one.in === "query").map(({ name }) => name),
              samples: described["x-codeSamples"] ?? [],
              described
            }
          ]
    )
  )

const isAt = (path: string, asked: string): boolean => {
  const [segments, words] = [path.split("/"), asked.split("/")]
  return (
    segments.length === words.length &&
    segments.every((segment, index) => segment === words[index] || (segment.startsWith("{") && isId(words[index])))
  )
}

/** True for a shell variable in capitals, or an id. */
const isId = (word = ""): boolean => /^[A-Z_]+$|_|^[\w.-]*\d/.test(word)

const samplesOf = ({ described, method, operationId, path }: ApiCall, { body, query }: SampledRequest) =>
  codeSamples({
    operationId,
    method,
    path,
    isPublic: described.security?.length === 0,
    parameters: [
      ...(described.parameters ?? []).filter((one) => one.in === "header" && one.required === true),
      ...Object.entries(query).map(([name, example]) => ({ in: "query", name, required: true, example }))
    ] as ReadonlyArray<Json>,
    requestBody: body === undefined ? undefined : { content: { "application/json": { example: body } } }
  })
