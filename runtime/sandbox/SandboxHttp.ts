import { rawReply, reply, withWarning } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { ArmedLlmFailure } from "@carteiro/schema/sandbox/LlmFailure.ts"
import { SandboxApi } from "@carteiro/schema/sandbox/Sandbox.ts"
import type { SimulateInbound } from "@carteiro/schema/sandbox/SimulateInbound.ts"
import { Effect } from "effect"
import { CallerReads } from "../access/Access.ts"
import { recipientWarning, scenarios, simulatedCustomer } from "../messages/Messages.ts"
import { NumberDirectory } from "../phone-numbers/PhoneNumbers.ts"
import { TemplateDirectory } from "../templates/Templates.ts"
import { LlmFailureRepo } from "./LlmFailureRepo.ts"
import { quickstartBody } from "./Quickstart.ts"
import { SandboxCustomers } from "./SandboxCustomers.ts"

/** Refuses a sender that is not a phone together with the body, before any token, key or row. M-SBX-13, M-SBX-14 */
const checkSender = ({ channel, from, user_id }: Partial<SimulateInbound>) =>
  channel === undefined || from === undefined
    ? undefined
    : simulatedCustomer({ channel, from, ...(user_id === undefined ? undefined : { user_id }) })

/** The most templates that a quickstart lists, newest first. */
const quickstartTemplates = 100

/**
 * GET /v1/sandbox/quickstart, POST /v1/sandbox/inbound-messages and POST /v1/sandbox/llm/failure. M-SBX-02, M-SBX-03,
 * M-SBX-18
 */
export const SandboxHttp = Routes.group(
  SandboxApi,
  Effect.gen(function* () {
    const customers = yield* SandboxCustomers
    const owned = yield* NumberDirectory
    const callers = yield* CallerReads
    const templates = yield* TemplateDirectory
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
        const { environment_id } = caller
        const call = customers.write({ environment_id, body, customer, trace_id: traceId, now, claim })
        return Effect.map(call, (text) => withWarning(rawReply(202, text), recipientWarning(customer)))
      })
    })
  })
)
