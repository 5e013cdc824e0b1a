import type { AddressInfo } from "node:net"
import { parseArgs } from "node:util"
import { createReceiver } from "./server.ts"

const usage = `Usage: npm run receiver -- [--secret whsec_…]…

Receives webhooks on 127.0.0.1, verifies their signatures and prints one line for each.

  --secret                  signing secret of an endpoint, may be repeated
  CARTEIRO_WEBHOOK_SECRET   the same, comma-separated
  PORT                      port to listen on, 4020 unless given
`

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const stopWith = (line: string): never => {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}

const readArguments = () => {
  try {
    const { values } = parseArgs({
      options: { secret: { type: "string", multiple: true }, help: { type: "boolean", short: "h" } }
    })
    return values
  } catch (error) {
    return stopWith(`${error instanceof Error ? error.message : error}\n\n${usage}`)
  }
}

const given = readArguments()
if (given.help) {
  process.stdout.write(usage)
  process.exit(0)
}

const port = Number(process.env.PORT || 4020)
if (!Number.isInteger(port) || port < 0 || port > 65535) stopWith("PORT must be a port number, 0..65535")

const secrets = [...(given.secret ?? []), ...(process.env.CARTEIRO_WEBHOOK_SECRET ?? "").split(",")]
  .map((secret) => secret.trim())
  .filter((secret) => secret !== "")

const server = createReceiver({ secrets, print })
server.on("error", (error) => {
  const earlier =
    "code" in error && error.code === "EADDRINUSE" ? "; if an earlier receiver has the port, stop it first" : ""
  stopWith(`The receiver cannot listen on 127.0.0.1:${port}: ${error.message}${earlier}`)
})
server.listen(port, "127.0.0.1", () => {
  const { port: bound } = server.address() as AddressInfo
  print(`receiver http://127.0.0.1:${bound}`)
  if (secrets.length === 0) {
    print("No signing secret: deliveries are not verified. Set CARTEIRO_WEBHOOK_SECRET or give --secret whsec_…")
  }
})

const stop = (): void => {
  server.close()
  server.closeAllConnections()
}
process.on("SIGINT", stop)
process.on("SIGTERM", stop)
