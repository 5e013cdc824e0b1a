import { httpException } from "@carteiro/http-edge/Refusals.ts"
import { rawReply } from "@carteiro/http-edge/Reply.ts"
import { type RawRequest, Routes } from "@carteiro/http-edge/Routes.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import { type ChatNotices, UpstreamNotices } from "@carteiro/provider/ChatNotices.ts"
import { AuthenticationError } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Effect, Layer, Redacted } from "effect"
import { UpstreamGroupsWorker } from "../../groups/Groups.ts"
import { PhoneNumberEntity } from "../../messages/Messages.ts"
import { VendorInbox } from "../../vendor-webhooks/VendorInbox.ts"
import { UpstreamAccountWorker } from "../account/UpstreamAccountWorker.ts"
import { RoutedNumberRepo } from "./RoutedNumberRepo.ts"
import { challengeOf, isSigned } from "./UpstreamSignature.ts"
import { WebhookSecrets } from "./WebhookSecrets.ts"

const path = "/webhooks/upstream"
const vendor = "upstream"
const mostBytes = 3 * 1024 * 1024
const signatureHeader = "x-hub-signature-256"

/**
 * GET and POST /webhooks/upstream: the handshake, and the platform's notices. The receiver stores a signed body
 * unchanged in a commit of its own before it answers; the owners of the numbers and accounts that the body names then
 * work on it. A body that names none of ours is stored and not worked on. gaps-2 E "Inbound upstream webhook"
 */
export const UpstreamWebhookHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { appSecrets, verifyToken } = yield* WebhookSecrets
    const inbox = yield* VendorInbox
    const routed = yield* RoutedNumberRepo
    const read = yield* UpstreamNotices

    const subscribe = ({ search }: RawRequest) => {
      const challenge = verifyToken === undefined ? undefined : challengeOf(search, Redacted.value(verifyToken))
      return challenge === undefined
        ? Effect.fail(httpException(403, "hub.mode has to be subscribe, and hub.verify_token the one that was agreed."))
        : Effect.succeed(rawReply(200, challenge, { "content-type": "text/plain; charset=utf-8" }))
    }

    const take = Effect.fnUntraced(function* (request: RawRequest) {
      const body = yield* request.body.bytes(mostBytes)
      if (!isSigned(request.headers[signatureHeader], body, appSecrets)) {
        return yield* new AuthenticationError({ message: `${signatureHeader} is missing or does not fit the body.` })
      }
      const { accounts, groups, numbers } = read(body)
      const known = numbers.size === 0 ? [] : yield* routed.numbers([...numbers.keys()])
      const reported = reportedMessages(numbers)
      yield* inbox.store({
        vendor,
        unique_key: null,
        body,
        // Reports on groups contain invite links.
        secret: groups.size > 0,
        at: request.now,
        work: [
          ...known.map((owner_id) => ({ owner_type: PhoneNumberEntity.name, owner_id, reported })),
          ...[...accounts.keys()].map((owner_id) => ({ owner_type: UpstreamAccountWorker.name, owner_id })),
          ...[...groups.keys()].map((owner_id) => ({ owner_type: UpstreamGroupsWorker.name, owner_id }))
        ]
      })
      return rawReply(200, '{"ok":true}')
    })

    return Layer.merge(
      Routes.raw({ operation: "upstream_webhook.subscribe", method: "GET", path, handler: subscribe }),
      Routes.raw({ operation: "upstream_webhook.take", method: "POST", path, maxBodyBytes: mostBytes, handler: take })
    )
  })
)

/** Returns our ids of the messages whose statuses a call reports, each once. */
const reportedMessages = (numbers: ChatNotices["numbers"]): ReadonlyArray<string> => {
  const ids = new Set<string>()
  for (const notices of numbers.values()) {
    for (const notice of notices) {
      if (notice.kind !== "status" || notice.message_id === null) continue
      if (parseId("msg", notice.message_id)) ids.add(notice.message_id)
    }
  }
  return [...ids]
}
