import type { OperationReply } from "@carteiro/http-edge/Reply.ts"
import type { ImportNumprovNumber } from "@carteiro/schema/phone-numbers/PhoneNumberRequests.ts"
import { Context } from "effect"
import type { ApiCall } from "../../tenancy/ApiCall.ts"

export type ImportCall = ApiCall<"organization_id" | "environment_id" | "environment">

/** Begins the management of numbers of customers' own accounts at the number provider. M-IMP-01..09 */
export class NumberImport extends Context.Service<
  NumberImport,
  {
    /** Answers 202: number and enrollment are one commit, and nothing is rented or charged. M-IMP-05..07 */
    import(call: ImportCall, body: ImportNumprovNumber): OperationReply
  }
>()("@carteiro/runtime/phone-numbers/routes/NumberImport") {}
