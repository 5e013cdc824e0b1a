import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Direction, MessageStatus, MessageType, phoneDigits } from "@carteiro/schema/messages/Vocabulary.ts"
import { Effect, Layer, Schema } from "effect"
import { MessageAdmin } from "../../messages/Messages.ts"
import { type Chosen, chosenEnvironment, environmentField } from "../kit/Environments.ts"
import { asked } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { addressOf, askedWord, choicesOf, cutWalk, pageRows } from "../kit/Lists.ts"
import { type Outcome, page, type Visit } from "../kit/Pages.ts"
import { input, pager, select } from "../kit/Parts.ts"
import { messageTable } from "./MessageParts.ts"

const address = "/dashboard/messages"

/** What is looked for, as typed; what is none of the known words does not narrow. */
interface Search {
  readonly recipient: string | undefined
  readonly status: MessageStatus | undefined
  readonly type: MessageType | undefined
  readonly direction: Direction | undefined
}

/** Messages of an environment by recipient, status and type. M-READ-01, M-READ-02 */
export const MessagesHttp = Layer.unwrap(
  Effect.gen(function* () {
    const messages = yield* MessageAdmin
    const list = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const chosen = yield* chosenEnvironment(visit)
      const { environment } = chosen
      const search = searchOf(visit)
      const { recipient } = search
      const before = asked(visit.request, "before")
      const error =
        recipient === undefined || phoneDigits(recipient) !== undefined ? undefined : "That is no phone number."
      const walked =
        environment === undefined || error !== undefined
          ? { rows: [], walked_to: null }
          : yield* messages.list(environment.id, environment.kind, { ...search, before }, pageRows + 1)
      const { next, shown } = cutWalk(walked, ({ message }) => message.id)
      const here = { environment: environment?.id, ...search }
      const narrowed = Object.values(search).some((value) => value !== undefined)
      return {
        title: "Messages",
        section: "messages",
        environment: environment?.id,
        ...(error === undefined ? {} : { status: 400 }),
        body: html`${searchForm(chosen, search, error)}
${messageTable(
  environment?.id ?? "",
  shown,
  narrowed ? "No message is like this." : html`There is no message yet. Send one with <code>POST /v1/messages</code>.`
)}
${pager("messages", before && addressOf(address, here), next && addressOf(address, { ...here, before: next }))}`
      }
    })
    return page({ operation: "messages", path: address, handler: list })
  })
)

const searchOf = ({ request }: Visit): Search => ({
  recipient: asked(request, "recipient"),
  status: askedWord(request, "status", Schema.is(MessageStatus)),
  type: askedWord(request, "type", Schema.is(MessageType)),
  direction: askedWord(request, "direction", Schema.is(Direction))
})

const searchForm = (chosen: Chosen, search: Search, error: string | undefined): Html =>
  html`<form method="get" action="${address}" class="search" role="search">
${environmentField(chosen)}
${input({ name: "recipient", label: "Recipient", value: search.recipient ?? "", error, plain: true, maxLength: 64 })}
${select({ name: "direction", label: "Direction", choices: choicesOf(Direction.literals), chosen: search.direction ?? "" })}
${select({ name: "status", label: "Status", choices: choicesOf(MessageStatus.literals), chosen: search.status ?? "" })}
${select({ name: "type", label: "Type", choices: choicesOf(MessageType.literals), chosen: search.type ?? "" })}
<button>Show</button>
</form>`
