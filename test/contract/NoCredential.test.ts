import { RouteTable } from "@carteiro/http-edge/Routes.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Operation } from "../../packages/http-edge/contract/Route.ts"
import { call, exchange, parseAnswer, requestBytes, type WireAnswer, type WireRequest } from "../http-edge/Wire.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { type DescribedOperation, operations, responseOf } from "./Described.ts"

/** Bytes at which reading changes its way: nothing, what is held freely, what is parsed at once, and more. */
const sizes = [0, 1, 65_535, 65_536, 65_537, 262_144, 262_145]
const chunks = [1, 65_535, 65_536, 65_537, 262_145]

/** Routes that look at a credential of their own, and what they answer without it. */
const own: Readonly<Record<string, string>> = {
  "POST /v1/provider-connections/upstream/signup-sessions/{signup_session_id}/complete":
    "invalid_upstream_signup_session_token",
  "POST /v1/provider-credential-setup-sessions/{setup_session_id}/complete": "authentication_error",
  "POST /v1/provider-credential-setup-sessions/{setup_session_id}/deny": "authentication_error"
}

const nameOf = ({ method, path }: Pick<DescribedOperation, "method" | "path">) => `${method} ${path}`
const lineOf = ({ method, path }: DescribedOperation) => `${method} ${path.replaceAll(/[{}]/g, "")}`

/** What the contract says to a caller without a credential; undefined for a route that asks for none. */
const refusalOf = (one: DescribedOperation): string | undefined =>
  own[nameOf(one)] ?? (one.security.length > 0 ? "authentication_error" : undefined)

/** The example of a route as JSON, filled up to as many bytes as asked for; of too few bytes no JSON. */
const bodyOf = ({ requestBody }: DescribedOperation, bytes: number): string =>
  JSON.stringify(requestBody?.content?.["application/json"]?.example ?? {})
    .padEnd(bytes)
    .slice(0, bytes)

const chunked = (one: DescribedOperation, bytes: number) => {
  const head: WireRequest = {
    anonymous: true,
    headers: [
      ["Transfer-Encoding", "chunked"],
      ["Content-Type", "application/json"]
    ]
  }
  const body = Buffer.from(bodyOf(one, bytes))
  const pieces = [`${body.length.toString(16)}\r\n`, body, "\r\n0\r\n\r\n"].map((piece) => Buffer.from(piece))
  const request = Buffer.concat([requestBytes(lineOf(one), head), ...pieces])
  return Effect.map(exchange(request), (text) => parseAnswer(text).answer)
}

/** Notes whenever a handler runs that asks for a credential. */
const watched = (routes: ReadonlyArray<Operation>): ReadonlyArray<string> => {
  const ran: Array<string> = []
  for (const { entrance, operation } of routes) {
    if (entrance.by === "key") {
      const { handle } = entrance
      Object.assign(entrance, {
        handle: (...given: Parameters<typeof handle>) => {
          ran.push(operation)
          return handle(...given)
        }
      })
    } else if (entrance.by === "itself") {
      const { authenticate } = entrance
      const found = (credentials: Parameters<typeof authenticate>[0]) =>
        Effect.tap(authenticate(credentials), () => Effect.sync(() => void ran.push(operation)))
      Object.assign(entrance, { authenticate: found })
    }
  }
  return ran
}

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Without a credential", (it) => {
  it.effect(
    "a body of any size is refused as the contract specifies, and no handler runs A-AUTH-03 A-LIM-01",
    () =>
      Effect.gen(function* () {
        const routes = (yield* RouteTable).routes().filter((route): route is Operation => route.kind === "operation")
        const ran = watched(routes)
        const limits = new Map(
          routes.map(({ maxBodyBytes, method, path }) => [
            `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`,
            maxBodyBytes
          ])
        )
        const wrong: Array<string> = []
        for (const one of operations) {
          const line = lineOf(one)
          const refusal = refusalOf(one)
          const judge = ({ json, status }: WireAnswer, how: string) => {
            const isRight =
              refusal === undefined
                ? status < 500 && responseOf(one, status) !== undefined
                : status === 401 && json.error?.code === refusal
            if (!isRight) wrong.push(`${line} ${how}: ${status} ${json.error?.code}`)
          }
          for (const bytes of sizes)
            judge(yield* call(line, { anonymous: true, body: bodyOf(one, bytes) }), `${bytes} bytes`)
          for (const bytes of chunks) judge(yield* chunked(one, bytes), `${bytes} bytes in chunks`)
          const over = String((limits.get(nameOf(one)) ?? 0) + 1)
          const refused = yield* call(line, { anonymous: true, headers: [["Content-Length", over]] })
          if (refused.status !== 413) wrong.push(`${line} ${over} bytes: ${refused.status}`)
        }
        assert.deepStrictEqual(wrong, [])
        assert.deepStrictEqual(ran, [])
      }),
    240_000
  )

  it.effect("a large body is refused before it is read where a route has a credential of its own A-LIM-01", () =>
    Effect.gen(function* () {
      for (const one of operations.filter((one) => nameOf(one) in own && one.requestBody !== undefined)) {
        const head = requestBytes(lineOf(one), { anonymous: true, headers: [["Content-Length", "1000000"]] }, true)
        const { answer } = parseAnswer(yield* exchange(head, (_soFar, socket) => void socket.end()))
        assert.strictEqual(`${answer.status} ${answer.json.error.code}`, `401 ${own[nameOf(one)]}`)
      }
    })
  )

  it.effect(
    "no body of any size breaks a route outside the contract",
    () =>
      Effect.gen(function* () {
        const wrong: Array<string> = []
        for (const route of (yield* RouteTable).routes()) {
          if (route.kind !== "raw" || route.method === "GET") continue
          const line = `${route.method} ${route.path.replaceAll(":", "")}`
          for (const bytes of sizes) {
            for (const type of ["application/json", "application/x-www-form-urlencoded"]) {
              const body = type === "application/json" ? "{}".padEnd(bytes) : "a=".padEnd(bytes, "b")
              const { status } = yield* call(line, { anonymous: true, body, headers: [["Content-Type", type]] })
              // 503 says that a vendor is not set up.
              if (!(status >= 200 && status < 500) && status !== 503)
                wrong.push(`${line} ${bytes} bytes of ${type}: ${status}`)
            }
          }
        }
        assert.deepStrictEqual(wrong, [])
      }),
    240_000
  )
})
