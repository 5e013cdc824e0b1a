import type { Carteiro } from "@carteiro/sdk"
import { isInternational, readPhone, standardRegion } from "@carteiro/spellings/Phone.ts"
import { uploaded } from "../media/Upload.ts"
import { regionFor } from "../rows/Region.ts"
import { usage } from "../shell/Failure.ts"
import type { Shell } from "../shell/Shell.ts"
import { senderOf } from "./Sender.ts"

export interface SendOptions {
  readonly to: string
  readonly region?: string
  readonly text?: string
  readonly template?: string
  readonly var?: ReadonlyArray<string>
  readonly file?: string
  readonly caption?: string
  readonly sender?: string
  readonly scenario?: string
  readonly idempotencyKey?: string
}

/** Sends one message. */
export const send = async (shell: Shell, options: SendOptions): Promise<void> => {
  const given = [options.text, options.template, options.file].filter((one) => one !== undefined)
  if (given.length !== 1) throw usage("one of --text, --template and --file says what is sent")
  const to = await recipientOf(shell, options)
  const client = await shell.client()
  const accepted = await client.messages.send(
    {
      channel: "chatapp",
      sender: { type: "chatapp_phone_number", id: await senderOf(shell, client, options.sender) },
      recipient: to,
      message: await contentOf(shell, client, options),
      ...(options.scenario === undefined ? {} : { metadata: { sandbox_scenario: options.scenario } })
    },
    options.idempotencyKey === undefined ? {} : { idempotencyKey: options.idempotencyKey }
  )
  shell.result(accepted, `${accepted.id}  ${accepted.status}`)
}

/** Returns a group, or the number in international form, shown where it has other digits than were written. */
const recipientOf = async (
  shell: Shell,
  { region: option, to }: SendOptions
): Promise<Carteiro.SendMessage["recipient"]> => {
  if (to.startsWith("grp_")) return { type: "chatapp_group", id: to }
  const region = isInternational(to) && option === undefined ? standardRegion : await regionFor(shell, option)
  const { phone, refusal } = readPhone(to, region)
  if (refusal !== undefined) throw usage(refusal.message)
  if (phone.replaceAll(/\D/g, "") !== to.replaceAll(/\D/g, "")) shell.note(`${to} is read as ${phone}`)
  return { type: "phone_e164", id: phone }
}

const contentOf = async (
  shell: Shell,
  client: Carteiro,
  options: SendOptions
): Promise<Carteiro.SendMessage["message"]> => {
  const { caption, file, template, text = "" } = options
  if (template !== undefined) {
    const [name = "", language = "pt_BR"] = template.split(":")
    return { type: "template", template: { name, language, ...variablesOf(options.var) } }
  }
  if (file === undefined) return { type: "text", text: { body: text } }
  const { id, kind } = await uploaded(shell, client, file, { singleUse: true })
  const media = { kind: kind as "document", asset_id: id, ...(caption === undefined ? {} : { caption }) }
  return { type: "media", media }
}

const variablesOf = (words: ReadonlyArray<string> | undefined) => {
  if (words === undefined) return {}
  const pairs = words.map((word) => {
    const at = word.indexOf("=")
    if (at < 1) throw usage(`${word} is not a name=value`)
    return [word.slice(0, at), word.slice(at + 1)]
  })
  return { variables: Object.fromEntries(pairs) as Record<string, string> }
}
