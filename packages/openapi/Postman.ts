import type { Json } from "./description/Json.ts"
import type { DescribedApi } from "./postman/DescribedApi.ts"
import { firstRequests, successScript } from "./postman/FirstRun.ts"
import { type PlacedOperation, postmanRequest } from "./postman/PostmanRequest.ts"
import { type SavedIds, savedIds, savingScript, uploadVariables } from "./postman/SavedIds.ts"

const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"

/**
 * Returns a Postman collection of the description, version 2.1: first a folder of requests that succeed one after the other
 * with a new sandbox key, then a folder for each tag with a request for each operation and its example body. `baseUrl` and
 * `apiKey` are variables of the collection. A script saves the ids of answers as further variables, which later requests use.
 */
export const postmanCollection = (description: Json, publicUrl: string): Json => {
  const api = description as unknown as DescribedApi
  const saved = savedIds(api)
  const operations = operationsOf(api)
  const variables = [...saved.values(), ...Object.values(uploadVariables)]
  return {
    info: { name: api.info.title, description: api.info.summary, schema },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{apiKey}}", type: "string" }] },
    variable: [
      { key: "baseUrl", value: publicUrl },
      { key: "apiKey", value: "" },
      ...variables.map((key) => ({ key, value: "" }))
    ],
    event: [afterEach(savingScript(saved))],
    item: [
      firstRun(operations, saved),
      ...api.tags.map(({ description: about, name }) => ({
        name,
        description: about ?? "",
        item: operations
          .filter(({ operation }) => operation.tags[0] === name)
          .map((one) => ({
            name: one.operation.summary,
            id: one.operation.operationId,
            request: postmanRequest(one, saved)
          }))
      }))
    ]
  }
}

const operationsOf = ({ paths }: DescribedApi): ReadonlyArray<PlacedOperation> =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation }))
  )

const firstRun = (operations: ReadonlyArray<PlacedOperation>, saved: SavedIds): Json => ({
  name: "First run",
  description:
    "Set apiKey to a key of a sandbox and run this folder: each request answers with a success and leaves the ids that the next ones need.",
  event: [afterEach(successScript)],
  item: firstRequests.flatMap(({ body, operation: id }) =>
    operations
      .filter(({ operation }) => operation.operationId === id)
      .map((one) => ({
        name: one.operation.summary,
        id: `first.${id}`,
        request: postmanRequest(one, saved, body)
      }))
  )
})

const afterEach = (exec: ReadonlyArray<string>): Json => ({
  listen: "test",
  script: { type: "text/javascript", exec }
})
