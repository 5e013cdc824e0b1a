import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { Effect } from "effect"
import { Api } from "../support/ApiTest.ts"

/** The official client, connected with a key while its scope lives. */
export const connected = (key: string) =>
  Effect.acquireRelease(
    Effect.flatMap(Api, ({ baseUrl }) =>
      Effect.tryPromise(async () => {
        const client = new Client({ name: "test", version: "1.0.0" })
        const requestInit = { headers: { authorization: `Bearer ${key}` } }
        const transport = new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit })
        // The SDK types its optional members without `undefined`.
        await client.connect(transport as Parameters<Client["connect"]>[0])
        return client
      })
    ),
    (client) => Effect.promise(() => client.close())
  )

export interface ToolAnswer {
  readonly isError?: boolean
  readonly content: ReadonlyArray<{ readonly type: string; readonly text: string }>
  readonly _meta?: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads members of answers it has not declared
  readonly structuredContent: any
}

/** Calls a tool. */
export const use = (client: Client, name: string, given?: Record<string, unknown>) =>
  Effect.map(
    Effect.promise(() => client.callTool({ name, ...(given === undefined ? {} : { arguments: given }) })),
    (answer) => answer as unknown as ToolAnswer
  )
