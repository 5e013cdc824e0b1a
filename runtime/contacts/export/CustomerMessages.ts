import type { Subject } from "@carteiro/owners/Subject.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { Context, Effect } from "effect"

/**
 * Returns the latest messages of a customer, newest first and at most that many, each as its read shows it; the
 * messages room provides it. gaps-2 I "Export"
 */
export const CustomerMessages = Context.Reference<
  (
    environment: { readonly id: string; readonly kind: EnvironmentKind },
    customer: Subject,
    count: number
  ) => Effect.Effect<ReadonlyArray<object>>
>("@carteiro/runtime/contacts/export/CustomerMessages", { defaultValue: () => () => Effect.succeed([]) })
