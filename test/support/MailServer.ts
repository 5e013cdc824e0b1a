import { createServer, type Socket } from "node:net"
import { Effect } from "effect"

/** A mail that the server accepted. */
export interface TakenMail {
  readonly from: string
  readonly to: ReadonlyArray<string>
  /** Headers and body, as received. */
  readonly data: string
}

/** The server's behaviour for the next mails, by address: a response to RCPT, or silence. */
export interface MailScript {
  readonly taken: Array<TakenMail>
  /** The response to the end of the data, instead of 250. */
  afterData: string | undefined
  /** True when it closes the connection without a response to the data. */
  hangsUp: boolean
}

/** A mail server on a free port of this machine, with the part of SMTP that a client needs. RFC 5321 */
export const mailServer = Effect.acquireRelease(
  Effect.callback<{ readonly port: number; readonly script: MailScript; readonly close: () => void }>((resume) => {
    const script: MailScript = { taken: [], afterData: undefined, hangsUp: false }
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on("close", () => sockets.delete(socket))
      socket.on("error", () => {})
      serve(socket, script)
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const close = () => {
        for (const socket of sockets) socket.destroy()
        server.close()
      }
      resume(Effect.succeed({ port, script, close }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

const serve = (socket: Socket, script: MailScript) => {
  let text = ""
  let from = ""
  let to: Array<string> = []
  let isData = false
  socket.write("220 test ESMTP\r\n")
  const say = (line: string) => socket.write(`${line}\r\n`)
  const command = (line: string) => {
    const address = /<([^>]*)>/.exec(line)?.[1] ?? ""
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === "MAIL") from = address
    if (verb === "RCPT") to.push(address)
    if (verb === "DATA") {
      isData = true
      return say("354 go on")
    }
    if (verb === "QUIT") return socket.end("221 bye\r\n")
    return say("250 ok")
  }
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("utf8")
    while (true) {
      const end = text.indexOf(isData ? "\r\n.\r\n" : "\r\n")
      if (end < 0) return
      const part = text.slice(0, end)
      text = text.slice(end + (isData ? 5 : 2))
      if (!isData) {
        command(part)
        continue
      }
      isData = false
      if (script.hangsUp) return socket.destroy()
      if (script.afterData === undefined) script.taken.push({ from, to, data: part })
      say(script.afterData ?? "250 taken")
      to = []
    }
  })
}
