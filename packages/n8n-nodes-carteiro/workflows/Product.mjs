import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

const root = join(import.meta.dirname, "../../..")

/** Returns a port that is free now. */
export const freePort = async () => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Starts the product on an empty folder, with a database of its own, and lets it deliver to these origins. */
export const startedProduct = async (...origins) => {
  const folder = mkdtempSync(join(tmpdir(), "carteiro-n8n-"))
  const child = spawn(join(root, "node_modules/.bin/node"), ["runtime/main.ts"], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: "0",
      CARTEIRO_DATA_DIR: folder,
      CARTEIRO_SANDBOX_STATUS_DELAY_MS: "5",
      CARTEIRO_WEBHOOK_TARGET_ALLOWLIST: origins.join(",")
    },
    stdio: ["ignore", "pipe", "pipe"]
  })
  process.once("exit", () => child.kill("SIGKILL"))
  let printed = ""
  child.stderr.on("data", (chunk) => {
    printed += chunk
  })
  await new Promise((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      printed += chunk
      if (/^ready /m.test(printed)) resolve()
    })
    child.once("exit", (code) => reject(new Error(`the product ended with ${code}: ${printed}`)))
  })
  const file = JSON.parse(readFileSync(join(folder, "dev.json"), "utf8"))
  return {
    apiKey: file.sandbox.api_key,
    baseUrl: file.base_url,
    phoneNumberId: file.sandbox.phone_number_id,
    async stop() {
      child.removeAllListeners("exit")
      const gone = once(child, "exit")
      child.kill("SIGTERM")
      await gone
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
