import { rawReply, reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids, parseId } from "@carteiro/owners/Ids.ts"
import { formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import { PhoneNumberNotFound } from "@carteiro/schema/phone-numbers/PhoneNumberErrors.ts"
import type { ArmedLlmFailure } from "@carteiro/schema/sandbox/LlmFailure.ts"
import { SandboxApi } from "@carteiro/schema/sandbox/Sandbox.ts"
import type { SimulateInbound } from "@carteiro/schema/sandbox/SimulateInbound.ts"
import { Effect } from "effect"
import { CallerReads } from "../access/Access.ts"
import {
  PhoneNumberEntity,
  sandboxMessageId,
  scenarios,
  simulatedContent,
  simulatedCustomer,
  simulatedPayload
} from "../messages/Messages.ts"
import { NumberDirectory } from "../phone-numbers/PhoneNumbers.ts"
import { TemplateDirectory } from "../templates/Templates.ts"
import { LlmFailureRepo } from "./LlmFailureRepo.ts"
import { quickstartBody } from "./Quickstart.ts"

/** A sender that is no phone is refused with the body, before any token, key or row. M-SBX-13, M-SBX-14 */
const checkSender = ({ channel, from }: Partial<SimulateInbound>) =>
  channel === undefined || from === undefined ? undefined : simulatedCustomer({ channel, from })

/** The newest templates that a quickstart lists. */
const quickstartTemplates = 100

/**
 * GET /v1/sandbox/quickstart, POST /v1/sandbox/inbound-messages and POST /v1/sandbox/llm/failure. M-SBX-02, M-SBX-03,
 * M-SBX-18
 */
export const SandboxHttp = Routes.group(
  SandboxApi,
  Effect.gen(function* () {
    const numbers = yield* PhoneNumberEntity.client
    const owned = yield* NumberDirectory
    const callers = yield* CallerReads
    const templates = yield* TemplateDirectory
    const ids = yield* Ids

    const commit = yield* Commit
    const llm = yield* LlmFailureRepo

    return Routes.handlers(SandboxApi, {
      armLlmFailure: Effect.fnUntraced(function* (request) {
        const { body, caller, claim, now } = request
        const expires = body.ttl_seconds === undefined ? null : now + body.ttl_seconds * 1000
        const armed: ArmedLlmFailure = {
          armed: true,
          failure: body.failure,
          expires_at: formatTimestampOrNull(expires)
        }
        const response = reply(request, 200, armed)
        yield* commit.write([llm.arm(caller.environment_id, body.failure, expires, now)], { claim, response })
        return response
      }),
      quickstart: Effect.fnUntraced(function* (request) {
        const { api_key_id, environment, environment_id, key_prefix, scopes } = request.caller
        const found = yield* Effect.all(
          {
            caller: callers.find(environment_id, api_key_id),
            number: owned.firstActive(environment_id),
            templates: templates.list(environment_id, {}, undefined, quickstartTemplates)
          },
          { concurrency: "unbounded" }
        )
        const body = quickstartBody({
          environment,
          key: { id: api_key_id, name: found.caller?.key_name ?? "", key_prefix, scopes },
          number: found.number,
          endpoint_count: found.caller?.webhook_endpoints ?? 0,
          templates: found.templates.map(({ id, language, name, newest }) => ({
            id,
            name,
            language,
            category: newest.category,
            status: newest.status
          })),
          scenarios
        })
        return reply(request, 200, body)
      }),
      simulateInbound: Routes.checked(checkSender, (request, customer) => {
        const { body, caller, claim, now, traceId } = request
        const isSender = parseId("pn", body.to) || (body.channel === "socialapp" && parseId("pcn", body.to))
        if (!isSender) return Effect.fail(new PhoneNumberNotFound({ param: "to" }))
        const id = ids.mint("msg", now)
        const content = simulatedContent(body, () => ids.mint("mda", now))
        const provider_message_id = sandboxMessageId(id)
        const call = numbers.Inbound(body.to, {
          id,
          environment_id: caller.environment_id,
          environment: caller.environment,
          channel: body.channel,
          type: body.type,
          customer_id: customer.id,
          customer_key: customer.key,
          content: JSON.stringify(content),
          metadata: body.metadata === undefined ? null : JSON.stringify(body.metadata),
          trace_id: traceId,
          created_at: now,
          claim,
          contact_id: ids.mint("con", now),
          profile_name: body.profile_name ?? null,
          provider: "sandbox",
          provider_message_id,
          source_asset_id: body.media?.asset_id,
          payload: JSON.stringify(
            simulatedPayload(body, content, { provider_message_id, customer_id: customer.id, received_at: now })
          )
        })
        return Effect.map(call, (text) => rawReply(202, text))
      })
    })
  })
)
