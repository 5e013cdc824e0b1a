import { createHash, randomUUID } from "node:crypto"
import { open, rm } from "node:fs/promises"
import { createServer, type IncomingMessage } from "node:http"
import { join } from "node:path"

// The floor of an upload: the body goes to a file as it comes, is hashed and synced, then answered. Environment: PORT,
// FOLDER.

const folder = process.env.FOLDER ?? "."

const take = async (request: IncomingMessage): Promise<string> => {
  const path = join(folder, randomUUID())
  const file = await open(path, "wx")
  const hash = createHash("sha256")
  try {
    for await (const chunk of request as AsyncIterable<Uint8Array>) {
      hash.update(chunk)
      await file.write(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
    await rm(path)
  }
  return hash.digest("hex")
}

createServer((request, response) => {
  take(request).then(
    (sha256) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ sha256 })),
    () => response.destroy()
  )
}).listen(Number(process.env.PORT ?? 4010), "127.0.0.1", () => process.stdout.write("ready\n"))
