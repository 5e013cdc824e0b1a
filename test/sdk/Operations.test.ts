import { readFileSync } from "node:fs"
import { Carteiro } from "@carteiro/sdk"
import { assert, describe, it } from "vitest"
import { operationsOf } from "../../packages/sdk/codegen/Description.ts"
import { methodPath } from "../../packages/sdk/codegen/Resources.ts"

const description = JSON.parse(readFileSync("schema/openapi.json", "utf8"))
const operations = operationsOf(description)

/** Answers every request with an empty object and keeps it. */
const recording = () => {
  const requests: Array<{ readonly method: string; readonly path: string; readonly key: string | null }> = []
  const client = new Carteiro({
    apiKey: "svc_sbx_test",
    fetch: (url, init) => {
      const { pathname } = new URL(String(url))
      requests.push({
        method: init?.method ?? "",
        path: pathname,
        key: new Headers(init?.headers).get("idempotency-key")
      })
      return Promise.resolve(new Response("{}", { status: 200 }))
    }
  })
  return { client, requests }
}

const methodsOf = (value: object, path: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  Object.entries(value).flatMap(([name, child]) => {
    if (name === "transport" || typeof child !== "object" || child === null) return []
    const at = [...path, name]
    const own = Object.getOwnPropertyNames(Object.getPrototypeOf(child)).filter((member) => member !== "constructor")
    return [...own.map((member) => [...at, member].join(".")), ...methodsOf(child, at)]
  })

describe("The client's methods", () => {
  it("are exactly the operations of the description, each once", () => {
    const { client } = recording()
    const expected = operations.map((operation) => methodPath(operation).join("."))
    assert.strictEqual(new Set(expected).size, operations.length)
    assert.deepStrictEqual([...methodsOf(client)].sort(), [...expected].sort())
  })

  it.each(operations.map((operation) => [operation.operationId, operation] as const))(
    "%s asks its route, with an idempotency key where the contract takes one A-ERR-39",
    async (_, operation) => {
      const { client, requests } = recording()
      const path = methodPath(operation)
      const resource = path
        .slice(0, -1)
        .reduce<Record<string, unknown>>(
          (at, name) => at[name] as Record<string, unknown>,
          client as unknown as Record<string, unknown>
        )
      const method = resource[path.at(-1) ?? ""] as (...given: ReadonlyArray<unknown>) => Promise<unknown>
      const names = operation.parameters?.filter((parameter) => parameter.in === "path") ?? []
      await method.apply(
        resource,
        names.map(({ name }) => `a/${name}`)
      )
      const keyed = operation.parameters?.some(({ name }) => name === "idempotency-key") === true
      const [sent] = requests
      assert.strictEqual(requests.length, 1)
      assert.strictEqual(sent?.method, operation.method)
      assert.strictEqual(
        sent?.path,
        operation.path.replace(/\{(\w+)\}/g, (_match, name: string) => `a%2F${name}`)
      )
      assert.strictEqual(sent?.key !== null, keyed)
    }
  )
})
