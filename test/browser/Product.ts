import { execFile, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

/** What a story reads of dev.json. */
export interface Dev {
  readonly base_url: string
  readonly organization_id: string
  readonly project_id: string
  readonly sandbox: { readonly environment_id: string; readonly api_key: string; readonly phone_number_id: string }
  readonly production: { readonly environment_id: string; readonly api_key: string }
  readonly simulators: object
  readonly dashboard: { readonly url: string; readonly email: string; readonly sign_in_url: string }
}

/** The product as `npm start` runs it, in a data directory of its own. */
export interface Product {
  readonly dev: Dev
  /** The address of its database. */
  readonly database: string
  /** One of the operator's commands, with `--json`; answers what it printed. */
  command(...words: ReadonlyArray<string>): Promise<Record<string, unknown>>
  /** A request of the API; answers status and body. */
  call(
    method: string,
    path: string,
    options?: { readonly key?: string; readonly body?: unknown; readonly idempotencyKey?: string }
  ): Promise<{ readonly status: number; readonly body: Record<string, unknown> }>
  stop(): Promise<void>
}

const program = (path: string) => fileURLToPath(new URL(`../../runtime/${path}`, import.meta.url))

/** Starts it and waits for its ready line. */
export const startProduct = async (settings: Readonly<Record<string, string>>): Promise<Product> => {
  const dataDir = mkdtempSync(join(tmpdir(), "carteiro-browser-"))
  const env = { ...process.env, CARTEIRO_DATA_DIR: dataDir, PORT: "0", CARTEIRO_LOG: "warn", ...settings }
  const server = spawn(process.execPath, [program("main.ts")], { env, stdio: ["ignore", "pipe", "inherit"] })
  const gone = new Promise<void>((resolve) => server.once("exit", () => resolve()))
  await new Promise<void>((resolve, reject) => {
    let printed = ""
    server.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString("utf8")
      if (/^ready\b/m.test(printed)) resolve()
    })
    server.once("exit", (code) => reject(new Error(`the server ended with ${code} before it was ready:\n${printed}`)))
  })
  const dev = JSON.parse(readFileSync(join(dataDir, "dev.json"), "utf8")) as Dev
  const postgres = JSON.parse(readFileSync(join(dataDir, "postgres.json"), "utf8")) as Record<string, string>
  return {
    dev,
    database: `postgres://carteiro:${postgres.password}@127.0.0.1:${postgres.port}/carteiro`,
    command: async (...words) => {
      const { stdout } = await promisify(execFile)(process.execPath, [program("cli/main.ts"), ...words, "--json"], {
        env
      })
      return JSON.parse(stdout) as Record<string, unknown>
    },
    call: async (method, path, { key, body, idempotencyKey } = {}) => {
      const answer = await fetch(`${dev.base_url}${path}`, {
        method,
        headers: {
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey })
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
    },
    stop: async () => {
      server.kill("SIGTERM")
      await gone
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
}
