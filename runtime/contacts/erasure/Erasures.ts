import type { OperationReply } from "@carteiro/http-edge/Reply.ts"
import { Context } from "effect"
import type { ApiCall } from "../../tenancy/ApiCall.ts"

/** Begins erasures. gaps-2 I "Erasure" */
export class Erasures extends Context.Service<
  Erasures,
  {
    /**
     * Erases a contact and cancels the messages to it, in one commit; the job does the rest. Answers 200, or 404 for an
     * unknown or erased contact.
     */
    erase(call: ApiCall<"environment_id">, id: string): OperationReply
  }
>()("@carteiro/runtime/contacts/erasure/Erasures") {}
