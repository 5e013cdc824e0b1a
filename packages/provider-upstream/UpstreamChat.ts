import type { ChatContent, ChatFile } from "@carteiro/provider/ChatContent.ts"
import type { PlatformNumber } from "@carteiro/provider/ChatPlatform.ts"
import type { ChatAnswer, ChatProvider } from "@carteiro/provider/ChatProvider.ts"
import type { MediaProvider } from "@carteiro/provider/MediaProvider.ts"
import { Effect } from "effect"
import { callAnswer, sendAnswer, succeeded } from "./UpstreamAnswers.ts"
import type { UpstreamCalls } from "./UpstreamCalls.ts"
import { messageBody } from "./UpstreamWire.ts"

/** Messages of one number: `POST /{upstream_phone_number_id}/messages`. gaps-2 E "Who calls the upstream" */
export const upstreamChat = (calls: UpstreamCalls, number: PlatformNumber, media: MediaProvider): ChatProvider => {
  const path = `/${encodeURIComponent(number.upstream_phone_number_id)}/messages`
  const { messagingProduct } = calls.options
  const post = (json: unknown) => calls.call({ method: "POST", path, token: number.token, json })
  return {
    name: "upstream",
    send: (send) => {
      const { content } = send
      const file = fileOf(content)
      if (file === undefined || file._tag === "Handle") {
        return Effect.map(post(messageBody(send, { content, file: file?.id }, messagingProduct)), sendAnswer)
      }
      // The message is posted only once its file is uploaded: until then the platform cannot have the message.
      return Effect.flatMap(media.upload(file), (uploaded): Effect.Effect<ChatAnswer> => {
        switch (uploaded._tag) {
          case "Done": {
            const id = uploaded.value.provider_media_id
            return Effect.map(post(messageBody(send, { content, file: id }, messagingProduct)), sendAnswer)
          }
          case "Refused":
            return Effect.succeed({ _tag: "Rejected", code: uploadCode(uploaded.code), error: uploaded.error })
          case "Failed":
            return Effect.succeed({
              _tag: "NotSent",
              reason: "transient",
              code: "upstream_media_download_failed",
              error: uploaded.error
            })
        }
      })
    },
    acknowledge: (message_id, typing) =>
      Effect.map(
        post({
          messaging_product: messagingProduct,
          status: "read",
          message_id,
          ...(typing ? { typing_indicator: { type: "text" } } : undefined)
        }),
        (result) => callAnswer(result, succeeded)
      )
  }
}

const fileOf = (content: ChatContent): ChatFile | undefined => {
  if (content.type === "media") return content.file
  if (content.type === "template" && content.template.header?.type === "media") return content.template.header.file
  return content.type === "interactive" ? content.header?.file : undefined
}

/** A refusal without its own code is about the file. */
const uploadCode = (code: string): string => (code === "upstream_rejected" ? "upstream_media_download_failed" : code)
