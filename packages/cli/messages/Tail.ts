import type { Members } from "../api/Fields.ts"
import { firstPage } from "../listen/Polled.ts"
import { now } from "../shell/Clock.ts"
import type { Shell } from "../shell/Shell.ts"
import { escapeValue } from "../shell/Terminal.ts"

export interface TailOptions {
  readonly direction?: "inbound" | "outbound"
}

const inbound = ["message.received"]
const outbound = ["message.sent", "message.delivered", "message.read", "message.failed"]

/** Shows messages from now on until it is interrupted. */
export const tail = async (shell: Shell, { direction }: TailOptions): Promise<void> => {
  const page = firstPage()
  const client = await shell.client({ onResponse: page.see })
  void page.came.then(() => shell.note("Ready."))
  const events = [...(direction === "outbound" ? [] : inbound), ...(direction === "inbound" ? [] : outbound)]
  for await (const event of client.listen({ events, signal: shell.io.signal })) {
    const data: Members = { ...event.data }
    const time = shell.paint("dim", new Date(now()).toTimeString().slice(0, 8))
    shell.item(event, [time, event.type.padEnd(17), data.message_id, aboutOf(data)].join("  ").trimEnd())
  }
}

/** Returns the summary of a message: its sender and text, or the reason of its failure. */
const aboutOf = (data: Members): string => {
  const content: Members = { ...(data.content as Members | undefined) }
  const { body }: Members = { ...(content.text as Members | undefined) }
  const { id }: Members = { ...(data.sender as Members | undefined) }
  const shown = [id, body ?? content.type, data.error_code].filter((one) => typeof one === "string")
  return escapeValue(shown.join(": "))
}
